/** Written by: npm run openapi. Made of ef0847fe85ff4ecdc52c1a6a05a1f935428ed223f5ad73403d738b579ba0a0d9. */
export interface paths {
    "/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description A link of the campaign uses the UTM fields of the campaign for those that it does not set itself. They are read at each visit, so a change of the campaign takes effect for all its links at once. The dates of a campaign do not affect its links: the links work, and use the UTM fields, before the campaign starts and after it ends. A key can never be used again (409). Emits `campaign.created`.
         *
         *     Scope: `links:write`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaign}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a campaign
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description Emits `campaign.ended` if the change ends the campaign. When a campaign ends at its `ends_at`, the event is emitted within seconds. To reactivate a campaign whose `ends_at` has passed, set another `ends_at` in the same request (else 409).
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/campaigns/{campaign}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clicks of a campaign
         * @description Clicks of links that belonged to the campaign when they were clicked on, counted up to `as_of`, which is usually a second ago. If a link moves to another campaign, its earlier clicks stay with the campaign that it had then. Days are those of the project’s time zone, also when clocks change.
         *
         *     Scope: `analytics:read` or `links:read` or `links:write`.
         */
        get: operations["getCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clicks/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the clicks of the environment
         * @description Server-sent events: every click of the environment, including those of bots, within a second or two after it is stored. A client that sends the id of its last event as `Last-Event-ID`, as `EventSource` does, gets the clicks since then, up to 50 minutes back, each at least once. After an interruption a few clicks may come twice: deduplicate on their `id`. Clicks come in the order in which they were stored, which differs a little from the order of `occurred_at`. A stream ends after 15 minutes at most; the client then reconnects with its last id. A key may have 10 streams open at once on one server (429), and a server 100 in all (503).
         *
         *     Scope: `analytics:read`.
         */
        get: operations["streamClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domains
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a domain
         * @description Set the TXT record that the response names, and point the host to the link hosts of this service. The service looks the record up automatically, at first every minute, for 72 hours. If it is not found by then, the domain is `failed` and `domain.failed` is emitted. IP addresses, local names and hosts of the service are refused. Several environments can add the same host, but only one can verify it. An environment has at most 100 domains. A host that it already has is 409.
         *
         *     Scope: `links:write`.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a domain
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete a domain
         * @description The host no longer serves links, and another environment may verify it. Links that were shown on it keep working and are shown on the link host. Their `updated_at` does not change, and no event is emitted for them, although their `url` is another one. The call is refused with 409 in two cases, which you have to change first. Either the `open_host` of the environment is below the domain, and neither below the link host nor below another verified domain. Or the address of a link on the link host would be an alias of another link (`detail` says how many such links there are, and names the first alias).
         *
         *     Scope: `links:write`.
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        /**
         * Change a domain
         * @description Sets where visitors are sent if their URL leads nowhere, and whether paths are case-sensitive. The host name cannot change. With `case_insensitive`, links such as `/Spring` and `/spring` both keep working: a path is tried in lower case only if it leads nowhere as it is. `GET /domains/{domain}/case-pairs` lists such pairs.
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/domains/{domain}/case-pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List addresses that differ in case only
         * @description Pairs such as `/Spring` and `/spring` among the addresses of the host: the paths of the links of the environment, and the aliases on the host. With `case_insensitive` each of them keeps its own visitors, and the one in lower case gets those of every other spelling. Look at this list before you switch it on.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["getDomainCasePairs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check where a domain leads
         * @description Returns the records to set for the host and what the service finds now: the DNS records, the server that responds on the host, and its certificate. Nothing is stored, and the `status` of the domain does not change. The call takes up to 10 seconds if a server does not respond.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["getDomainConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a domain now
         * @description Looks the TXT record up now. If it is found, the domain is `verified` and `domain.verified` is emitted. If it is not found, a domain that was not verified is `failed` and `domain.failed` is emitted; automatic checks continue until 72 hours after the domain was added. If DNS does not respond, the state stays as it is. A check that you request here always emits the event of the resulting state, unless that is `pending`. Automatic checks emit it only if the state changes. A verified domain is checked every day. If its record is missing for 72 hours, it is `failed`. If the `open_host` of the environment is below that domain, and not below another verified domain too, it is then reset to `open.` followed by the link host. Links of a domain that has become `failed` are shown on the link host. Their `updated_at` does not change, and no event is emitted for them. If the address of a link there is an alias of another link, the link keeps its `url` on the domain, which no longer works, until you remove that alias or set another `domain`.
         *
         *     Scope: `links:write`.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the environment of the key
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["getEnvironment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the environment of the key
         * @description Link hosts use the new settings within moments. Projects, link hosts and keys are created by the operator of the service and cannot be changed here. An open host that belongs to another environment is 409.
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateEnvironment"];
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Events of the environment, whether or not they were sent to an endpoint. The window is at most 30 days wide. Clicks become events only while an endpoint is subscribed to `click.created`, and for a minute after each call with `type=click.created`, up to about a hundred per second.
         *
         *     Scope: `webhooks:write`.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Store an event that happened on your server
         * @description Stores the event and emits `event.tracked`. It is counted for the link of the click with the id `click_id`, or else for the link that its installation came from. If the click happened within the last half minute and is not stored yet, the call waits for it for up to 2 seconds. A `currency` requires a `value` and must be an ISO 4217 code. `click_id` must have the form of a click’s id; if no link host has issued it, the event is stored without it. `occurred_at` may lie any time back, and at most five minutes ahead.
         *
         *     Scope: `links:write`.
         */
        post: operations["trackEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a sample event
         * @description Creates a sample event of the type, marked with `test`, and queues it once for every enabled endpoint that is subscribed to the type. Failed attempts are not retried. If the server has no job queue connection, the response is 503 and nothing is stored.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["triggerEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all campaigns
         * @description Every campaign, newest first. `linkd export campaigns` writes the same file, and `linkd import campaigns` reads it. The file is sent while it is read, for ten minutes at most. If it cannot be completed, the connection is closed, so that a partial file is never mistaken for a complete one. An environment can run one export at a time; 429 means that another one is running.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["exportCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export clicks
         * @description Every click of the given days, including those of bots, oldest first. `linkd export clicks` writes the same file. `resource_type` is the key of the resource type of an item. Addresses and visitors are hashes whose key changes. If the log holds too many clicks of those days for this call, it is refused; `linkd export clicks` reads any number. The file is sent while it is read, for ten minutes at most. If it cannot be completed, the connection is closed, so that a partial file is never mistaken for a complete one. An environment can run one export at a time; 429 means that another one is running.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["exportClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export links
         * @description Every link that is not deleted, including archived ones, or those that the query selects. The newest link comes first. Each link has the clicks that it had before it was imported. `linkd export links` writes the same file, and `linkd import csv` or `ndjson` reads it. It contains no passwords. The file is sent while it is read, for ten minutes at most. If it cannot be completed, the connection is closed, so that a partial file is never mistaken for a complete one. An environment can run one export at a time; 429 means that another one is running.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["exportLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the health of the service
         * @description The state of each part of the service, and of the webhook queue of the environment. Link hosts report their state every two seconds. A link host that has not reported for 10 seconds counts as one that does not redirect, although it may still do so. The status is always 200. The operator finds more on the admin port of the control plane, and with `linkd health`.
         *
         *     Scope: `links:read` or `links:write` or `analytics:read` or `webhooks:write`.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import up to 500 rows of a file
         * @description Imports rows that the caller has read from a file, as `linkd import` does. Links keep their paths, tags and times of creation, and every further address becomes an alias. Each row succeeds or fails on its own. A field that is refused is left out and listed in `lost`. If it could keep visitors out, as a password, a limit of clicks or an `expires_at` that cannot be read, the link is created disabled. If an earlier call has imported the row, its link is found again by the address, the time of creation and the destination, so you may send a file any number of times. If the row is now disabled, the link is disabled too, unless somebody has changed it here since it was imported: then an enabled link stays enabled and `lost` lists `status`. A row whose address has no path fails, and so does a row whose cells are all empty. Send the rows of a file in order, one call after the other. At most 20 rows of a call may have a password. The status is 200 even if every row failed.
         *
         *     Scope: `links:write`.
         */
        post: operations["importLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/installs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List installations
         * @description Installations whose first open the app has reported, and what each came from. The service knows nothing about the user except what the app sent.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["listInstalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/installs/{install}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an installation
         * @description The first open of the installation, and what it came from.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getInstall"];
        put?: never;
        post?: never;
        /**
         * Erase an installation
         * @description Deletes what the service knows about the installation: its first open, its later opens, the events that it reported or that name it, and the responses that are stored for an `Idempotency-Key`. A request that is repeated after that is a new one. A delivery of such an event that is still waiting is never sent: when it is due, it fails with the error `event_missing`, as `abandoned`, or `failed` if it is a replay. The click that the installation was matched to stays in the log, but nothing connects it with the installation any more. If the app goes on using the `install_id`, it is a new installation.
         *
         *     Scope: `links:write`.
         */
        delete: operations["deleteInstall"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key of the request
         * @description Scope: `links:read` or `links:write` or `analytics:read` or `webhooks:write`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description The keys of the environment, including revoked ones, with their scopes and the time of their last use. The key itself is shown only once, when it is created. Keys are created and revoked on the command line of the service.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["listKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links
         * @description Archived links are left out unless `archived=true`. Deleted links are listed for 90 days, with `status=deleted` only. A link has to match all filters. If the list is sorted by a field that changes while you read the pages, a link may appear twice or not at all.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a link
         * @description Returns the link with its full URL, which works from then on. Destinations are stored in the serialised form of the WHATWG URL standard, so that only ASCII is ever sent. The path of a deleted link stays taken for 90 days. A path is also taken if the resulting address is an alias of another link. For a link that you import from elsewhere, set `created_at` to the time in the past at which it was created.
         *
         *     Scope: `links:write`.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a link
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description The short URL returns 410 as soon as the call returns, and its path stays taken for 90 days. During that time `POST /links/{link}/restore` brings the link back, and `GET /links?status=deleted` lists it. Emits `link.disabled` with the reason `deleted`. Deleting the link again is 404.
         *
         *     Scope: `links:write`.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Change a link
         * @description A change emits `link.updated`, and disabling emits `link.disabled` with the reason `disabled`. A request that changes nothing emits nothing and does not change `updated_at`. When the destinations of a blocked link change, they are checked again: the link is active once none of them is on the block list. Until then a `status` is refused with 409. A `domain` is refused with 409 if the address of the link on it is an alias of another link.
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateLink"];
        trace?: never;
    };
    "/links/{link}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the QR code of a link
         * @description The QR code (ISO/IEC 18004) of the `url` of the link with `?qr=1` appended. By default it is black on white with error correction M, or has the `qr_style` of the domain that the link is shown on. Colours that scanners cannot read are refused. Clicks with `qr=1` have the `source` `qr` in `GET /stats/clicks`; link hosts do not pass the parameter on to destinations or apps. The client may cache the image for an hour.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["getLinkQr"];
        put?: never;
        /**
         * Draw the QR code of a link with a logo
         * @description The same image as `GET /links/{link}/qr`, with a logo in its middle. Nothing is stored. The logo must be a PNG. Convert an SVG to PNG first: an SVG may contain more than an image, such as scripts.
         *
         *     Scope: `links:read` or `links:write`.
         */
        post: operations["drawLinkQr"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{link}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted link
         * @description Restores a deleted link with its status, aliases, tags, used clicks (`max_clicks`) and statistics. Tags that have been deleted in the meantime are missing. The link works again as soon as the call returns. A link can be restored for 90 days, while its path and its aliases are reserved for it. After that the response is 404, as for an unknown id. A link that is not deleted is 409. A link whose domain was removed or failed while the link was deleted is 409 too, if its address on the link host has become an alias of another link. A link that was deleted by a release which did not store the status comes back `disabled`. A link whose destination has been put on the block list in the meantime comes back `blocked`, with the event `link.blocked`. Otherwise `link.updated` is emitted, with `status` in its `changed_fields`.
         *
         *     Scope: `links:write`.
         */
        post: operations["restoreLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{link}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clicks of a link
         * @description Counted up to `as_of`, which is usually a second ago. Days are those of the project’s time zone, also when clocks change.
         *
         *     Scope: `analytics:read` or `links:read` or `links:write`.
         */
        get: operations["getLinkStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 1000 links
         * @description Each link succeeds or fails on its own, as if you created them one after the other by `POST /links`: if a path appears twice in one call, it is taken for the later link (409). The status is 200 even if every link failed. All links that succeed are created in one transaction. With `dry_run` the response is the same and nothing is created.
         *
         *     Scope: `links:write`.
         */
        post: operations["createLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a short URL
         * @description Returns what a visitor of the URL gets, from the same code that serves visitors. Nothing is counted or stored. `trace` lists every rule that applied, in order, with its inputs: host, path, state, visitor, campaign, destinations tried, UTM and query parameters added, and the result. A URL on a host that does not belong to the environment is `unknown_host`.
         *
         *     Scope: `links:read` or `links:write`.
         */
        post: operations["testLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resource types
         * @description Archived types are left out unless you set `status=archived`.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["listResourceTypes"];
        put?: never;
        /**
         * Create a resource type
         * @description A key can be used only once, and stays taken when its type is archived: a taken key is 409. An environment has at most 20 types that are not archived; one more is 409.
         *
         *     Scope: `links:write`.
         */
        post: operations["createResourceType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource-types/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a resource type
         * @description Also returns archived types.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["getResourceType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename or archive a resource type
         * @description Archiving is final. The templates of the type stop resolving, their patterns stay taken until the templates are archived too, and the key stays taken. Archiving again is 200; any other change of an archived type is 409. A request that changes nothing does not change `updated_at`.
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateResourceType"];
        trace?: never;
    };
    "/resource-types/{type}/metadata-api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metadata API of a resource type
         * @description 404 if none is configured. The credential is never returned.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["getMetadataApi"];
        /**
         * Create or replace the metadata API of a resource type
         * @description A field that is absent gets its default, except `auth`: without `auth`, or without `auth.secret`, the stored credential is kept. Every PUT clears the cache, even if it changes nothing. For an archived type the response is 409.
         *
         *     Scope: `links:write`.
         */
        put: operations["putMetadataApi"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource-types/{type}/metadata-api/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the metadata API for one item
         * @description Calls the API with the saved configuration and returns the result. Nothing is cached or counted. Of the limits in the configuration only the timeout applies. 404 if no metadata API is configured.
         *
         *     Scope: `links:write`.
         */
        post: operations["testMetadataApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resources/invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clear the cached answers of items
         * @description The next preview calls the metadata API again. The answer to a call that had already begun is discarded. The response is sent when every engine that is connected to the database has cleared the items, usually within milliseconds and after 5 seconds at most: from then on no preview shows the old answers. Copies that chat apps and social networks keep are not refreshed by this call. An unknown `resource_type` is 422. A type without a metadata API has no cached answers.
         *
         *     Scope: `links:write`.
         */
        post: operations["invalidateResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resources/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the card of a shared URL
         * @description Resolves the URL with the same code that serves visitors, calls the metadata API with the saved configuration, and returns the card that a preview bot would see, with the state of the shared cache. If the API gives no usable answer, the card shows the cached one. Nothing is cached or counted.
         *
         *     Scope: `links:read` or `links:write`.
         */
        post: operations["previewResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resources/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read clicks, previews and metadata API calls by resource type
         * @description Clicks are counted up to the last one in the click log. Figures of previews and calls are written every few seconds, so the last seconds may be missing. Days are those of the project’s time zone, also when clocks change. The default range is 7 days.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getResourceStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared-view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a shared view
         * @description The page of a public link calls this operation, without a key. The token alone decides which clicks are shown. Figures may be ten seconds old. Requests are limited per address, and wrong passwords per address and view (429). The response is 404 if the view is no longer shared, the link has expired, or the token was never issued. It is 409 if the days of the view cannot be counted: they are in the future, their clicks are no longer kept, or there are too many of them. It is a POST so that the token does not appear in access logs. An `Idempotency-Key` is ignored.
         */
        post: operations["readSharedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clicks of the environment
         * @description Clicks of all links and items, over time and by where they came from, counted up to `as_of`, which is usually a second ago. Days are those of the project’s time zone, also when clocks change. Lists are sorted by clicks by people.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Query the clicks of the environment
         * @description Clicks of any days that the click log keeps, with filters that can be combined: `?country=DE&platform=ios&breakdown=link`. An empty filter, `?campaign=`, selects clicks without a value. Figures of the last 30 days without a filter or with one by `platform`, `country`, `referrer_host`, `resource_type`, `link` or `campaign` come from stored sums, unless they need hours. Everything else is counted: days that are over, of the last 30, from compact copies of their clicks, and other days from the log, which takes longer the more clicks those days have. If that could take more than 5 seconds, the call is refused (422), and the error names the first day that you can ask for. If clicks are in ClickHouse, no number of days is refused: a call may take 25 seconds (then 503). Of the calls that take more than 5 seconds, one server runs at most two per environment (429) and four in all (503) at once.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/conversions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what clicks have led to
         * @description From clicks by people to first opens of apps, later opens and tracked events, with the sums of their values: in all, and by event name, campaign, link, resource type and item. An event counts on the day on which it happened. It counts for the link and the campaign, or the item, of the click that it names, or else of what its installation came from, however long ago that was. A day can be queried as long as its clicks, opens, events and installations are all kept. What belongs to no link, such as an item of a template, appears under null in `links` and `campaigns`. With a filter by `resource_type` or `item` those lists are empty. An item belongs to no link and has no campaign, so filters of both kinds together match nothing. Opens and events that were stored by earlier releases count for no item.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getConversions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description A tag is created when a link first uses it.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tag
         * @description Scope: `links:read` or `links:write`.
         */
        get: operations["getTag"];
        put?: never;
        post?: never;
        /**
         * Delete a tag
         * @description The tag is removed from all links. Their `updated_at` does not change, and no event is emitted. Saved and shared views that filter by the tag keep the filter and show no clicks until another tag gets that name. The filter stays because a shared view would otherwise show more than it was shared for.
         *
         *     Scope: `links:write`.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Rename a tag
         * @description All links that have the tag show the new name at once. Their `updated_at` does not change, and no event is emitted. Saved and shared views that filter by the tag use the new name from then on. The name of another tag is refused (409).
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateTag"];
        trace?: never;
    };
    "/tracked-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tracked events
         * @description What apps and servers have sent by `POST /sdk/events` and `POST /events`, with the link, the campaign and the click that each of them is counted for. The window is at most 30 days wide.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["listTrackedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/url-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List URL templates
         * @description Archived templates are left out unless you set `status=archived`.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["listUrlTemplates"];
        put?: never;
        /**
         * Create a URL template
         * @description Refused with 409: a pattern that overlaps another one, which `detail` names; a sixth template of a type, not counting archived templates; a template of an archived type. Two patterns overlap if one URL path could match both, whatever their id formats are. Patterns of disabled templates and of archived types count as well. A destination that looks suspicious is stored and reported in `warnings`; one on the block list is 422 `url_blocked`. With the longest id that `id_format` allows, a URL may have at most 8,192 characters and `data` at most 16,384 bytes.
         *
         *     Scope: `links:write`.
         */
        post: operations["createUrlTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/url-templates/{template}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a URL template
         * @description Also returns archived templates.
         *
         *     Scope: `links:read` or `links:write`.
         */
        get: operations["getUrlTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a URL template
         * @description URLs of a disabled template show a status page, and its pattern stays taken. Archiving is final and frees the pattern. Archiving again is 200; any other change of an archived template is 409. A template of an archived type can still be changed, and can be archived to free its pattern. `warnings` covers all destinations that the template has after the change. A request that changes nothing does not change `updated_at`.
         *
         *     Scope: `links:write`.
         */
        patch: operations["updateUrlTemplate"];
        trace?: never;
    };
    "/url-templates/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a URL or path
         * @description Returns what visitors of the URL get, from the same code that serves them. Nothing is counted or stored. A URL on a host that does not belong to the environment is `no_template`. So is an alias of a link, because links take precedence. `trace` lists every rule that applied to a person on `platform`, in order, with its inputs.
         *
         *     Scope: `links:read` or `links:write`.
         */
        post: operations["testUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List views
         * @description Scope: `analytics:read`.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view
         * @description Saves a query of `GET /stats/clicks` under a name. Its days may move with the calendar (`range`). Names are unique in an environment (409), and an environment has at most 100 views (409).
         *
         *     Scope: `links:write` and `analytics:read`.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{view}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a view
         * @description Scope: `analytics:read`.
         */
        get: operations["getView"];
        put?: never;
        post?: never;
        /**
         * Delete a view
         * @description Its public link stops working too.
         *
         *     Scope: `links:write` and `analytics:read`.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * @description Its public link shows the changed view from then on. The name of another view is refused (409).
         *
         *     Scope: `links:write` and `analytics:read`.
         */
        patch: operations["updateView"];
        trace?: never;
    };
    "/views/{view}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public link of a view
         * @description A view that is not shared has none (404).
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getViewShare"];
        put?: never;
        /**
         * Share a view by a public link
         * @description Anyone with the link sees the chart, the totals and the breakdown of this view, without a key, and nothing else. A view has one link at a time (409). The token is signed, and the service stores no secret for it.
         *
         *     Scope: `links:write` and `analytics:read`.
         */
        post: operations["shareView"];
        /**
         * Revoke the public link of a view
         * @description The link stops working for good (404). If you share the view again, it gets another link.
         *
         *     Scope: `links:write` and `analytics:read`.
         */
        delete: operations["revokeViewShare"];
        options?: never;
        head?: never;
        /**
         * Change the password or the end of a public link
         * @description The link stays the same. To give out another one, revoke it and share the view again.
         *
         *     Scope: `links:write` and `analytics:read`.
         */
        patch: operations["updateViewShare"];
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Scope: `webhooks:write`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The URL must be https with a public host name: IP addresses, local names and names that resolve to private networks are refused. An environment has at most 20 endpoints; one more is 409. A second endpoint for the same URL is 409, also if the URL is spelled differently. The response contains the signing secret, which is never shown again.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Scope: `webhooks:write`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint and its delivery log for good. Deliveries that are queued for it are dropped.
         *
         *     Scope: `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description A new URL is checked as on creation; the URL of another endpoint is 409. Enabling an endpoint again clears its failure streak. Disabling it abandons the deliveries that are queued for it.
         *
         *     Scope: `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The log of attempts, kept for 30 days. The window is at most 30 days wide.
         *
         *     Scope: `webhooks:write`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the event of a delivery
         * @description Queues the same event, with the same id and the same body, for the URL that the endpoint has now, even if the endpoint is disabled. A failed attempt is not retried. Only a finished delivery can be sent again. The response is 409 while the delivery is `pending`, while it is `retrying` and the next attempt has not begun, and if its event is no longer kept. A delivery of another endpoint is 404. If the server has no job queue connection, the response is 503 and nothing is stored.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend failed events
         * @description Queues every event of the window whose last attempt failed for good, with the same id and the same body, for the URL that the endpoint has now. Each event is sent once; a failed attempt is not retried. Events that have been sent again in the meantime, and samples, are left out. A call queues at most 1,000 events, the oldest first; `next_from`, `next_to` and `next_cursor` say where the next call continues. If the server has no job queue connection, the response is 503 and nothing is stored.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["replayFailures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description Returns the endpoint with its new secret, which is never shown again. The old secret works for 24 hours, until `previous_secret_expires_at`: during that time every delivery carries two `v1` signatures, the new one first. If you rotate the secret again within that time, the oldest secret stops working at once.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event
         * @description Queues a sample event of the type `event_type`, or of the first type that the endpoint is subscribed to. The event is marked with `test`. A failed attempt is not retried. If the server has no job queue connection, the response is 503 and nothing is stored.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "campaign.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign was created.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onCampaignCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign ended.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onCampaignEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "click.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A click was stored. High volume: subscribe deliberately.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onClickCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A domain check finished and the domain is not verified.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onDomainFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A domain check finished and the domain is verified.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onDomainVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.tracked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An event from the SDK or from a server was stored.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onEventTracked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "install.attributed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A first open was matched to a click.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onInstallAttributed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "install.organic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A first open was not matched to a click.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onInstallOrganic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was blocked because a destination is on the block list.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onLinkBlocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was created.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onLinkCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link no longer works: it was disabled or deleted, or it has expired.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onLinkDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was changed.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onLinkUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "open.reengaged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An existing install opened the app through a link.
         * @description Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.
         */
        post: operations["onOpenReengaged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The result for each link */
        BulkResult: {
            /** @description Links that were made */
            created: number;
            /** @description Links that were not made */
            failed: number;
            /** @description One result for each link, in the order of the request */
            results: ({
                /** @description Place of the link in the request */
                index: number;
                link: components["schemas"]["Link"];
                /**
                 * @description Status of a created link
                 * @constant
                 */
                status: 201;
            } | {
                error: components["schemas"]["Problem"];
                /** @description Place of the link in the request */
                index: number;
                /** @description Status of the problem */
                status: number;
            })[];
        };
        /** @description A campaign: UTM fields for all links that name it */
        Campaign: {
            /**
             * Format: date-time
             * @description When the campaign was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself
             */
            ends_at: string | null;
            /**
             * @description Id of the campaign
             * @example cmp_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * @description Name by which links refer to it
             * @example spring
             */
            key: string;
            /** @description For people */
            name: string;
            /**
             * Format: date-time
             * @description When it starts
             */
            starts_at: string | null;
            /**
             * @description `ended` from `ends_at` on, or once it was ended
             * @enum {string}
             */
            status: "active" | "ended";
            /**
             * Format: date-time
             * @description When the campaign was last changed
             */
            updated_at: string;
            /** @description UTM campaign for links that set none */
            utm_campaign: string | null;
            /** @description UTM content for links that set none */
            utm_content: string | null;
            /** @description UTM medium for links that set none */
            utm_medium: string | null;
            /** @description UTM source for links that set none */
            utm_source: string | null;
            /** @description UTM term for links that set none */
            utm_term: string | null;
        };
        /** @description A campaign to make */
        CampaignCreate: {
            /**
             * Format: date-time
             * @description When it ends by itself; later than `starts_at`
             */
            ends_at?: string | null;
            /**
             * @description Name by which links refer to it; cannot change. Letters, digits, `-` and `_`.
             * @example spring
             */
            key: string;
            /**
             * Format: plain-text
             * @description For people
             */
            name: string;
            /**
             * Format: date-time
             * @description When it starts. For information only: it has no effect
             */
            starts_at?: string | null;
            /**
             * Format: plain-text
             * @description UTM campaign for links that set none
             */
            utm_campaign?: string | null;
            /**
             * Format: plain-text
             * @description UTM content for links that set none
             */
            utm_content?: string | null;
            /**
             * Format: plain-text
             * @description UTM medium for links that set none
             */
            utm_medium?: string | null;
            /**
             * Format: plain-text
             * @description UTM source for links that set none
             */
            utm_source?: string | null;
            /**
             * Format: plain-text
             * @description UTM term for links that set none
             */
            utm_term?: string | null;
        };
        /** @description A page of campaigns, newest first */
        CampaignPage: {
            /** @description The objects of the page */
            data: components["schemas"]["Campaign"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Fields to change. An absent field keeps its value, null clears it. The key cannot change. */
        CampaignPatch: {
            /**
             * Format: date-time
             * @description When it ends by itself; later than `starts_at`
             */
            ends_at?: string | null;
            /**
             * Format: plain-text
             * @description For people
             */
            name?: string;
            /**
             * Format: date-time
             * @description When it starts. For information only: it has no effect
             */
            starts_at?: string | null;
            /**
             * @description End the campaign, or reactivate it
             * @enum {string}
             */
            status?: "active" | "ended";
            /**
             * Format: plain-text
             * @description UTM campaign for links that set none
             */
            utm_campaign?: string | null;
            /**
             * Format: plain-text
             * @description UTM content for links that set none
             */
            utm_content?: string | null;
            /**
             * Format: plain-text
             * @description UTM medium for links that set none
             */
            utm_medium?: string | null;
            /**
             * Format: plain-text
             * @description UTM source for links that set none
             */
            utm_source?: string | null;
            /**
             * Format: plain-text
             * @description UTM term for links that set none
             */
            utm_term?: string | null;
        };
        Click: {
            /** @description Whether the click was made by a bot; all stored clicks are sent */
            bot: boolean;
            bot_reason: string | null;
            browser: string | null;
            browser_version: string | null;
            campaign: string | null;
            city: string | null;
            country: string | null;
            destination: string | null;
            /** @description Host that was called */
            host: string;
            /** @description Id of the click, clk_... */
            id: string;
            in_app_browser: string | null;
            item_id: string | null;
            /**
             * @description What the URL belonged to
             * @enum {unknown}
             */
            kind: "link" | "template";
            link_id: string | null;
            /**
             * Format: date-time
             * @description When the click was answered
             */
            occurred_at: string;
            os: string | null;
            os_version: string | null;
            params: {
                [key: string]: string;
            } | null;
            /** @description Whether the whole query was dropped because it was too large */
            params_dropped: boolean;
            /** @description Path that was called */
            path: string;
            /**
             * @description Platform by the user agent
             * @enum {unknown}
             */
            platform: "ios" | "android" | "desktop" | "other";
            referrer_host: string | null;
            region: string | null;
            resource_type: string | null;
            resource_type_id: string | null;
            /**
             * @description Whether the visitor scanned the QR code of the link
             * @enum {unknown}
             */
            source: "qr" | "link";
            template_id: string | null;
            utm_campaign: string | null;
            utm_content: string | null;
            utm_medium: string | null;
            utm_source: string | null;
            utm_term: string | null;
        };
        /** @description An entry of the delivery log: one attempt */
        Delivery: {
            /** @description Number of the attempt */
            attempt: number;
            /**
             * Format: date-time
             * @description When the attempt was queued
             */
            created_at: string;
            /** @description Code of the reason why the attempt failed without a complete HTTP response: `timeout` (10 seconds for the whole attempt), `dns`, `connect`, `tls`, `blocked_address` (the host resolves to an address that is not public), `connection_lost`, `invalid_response` (not HTTP), `invalid_request` (the URL cannot be called). Codes without an attempt: `event_missing` (the event is no longer kept), `secret_unreadable` (the signing secret cannot be decrypted; ask the operator), `sender_failed` (the service failed during the attempt, so it is unknown whether anything arrived), `expired` (a click that had waited for 24 hours) */
            error: string | null;
            /**
             * @description Id of the event; the same for every attempt and replay
             * @example evt_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            event_id: string;
            /**
             * @description Type of the event
             * @enum {string}
             */
            event_type: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed";
            /**
             * @description Id of this attempt, which its request has in a header
             * @example whd_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * @description What queued it
             * @enum {string}
             */
            kind: "automatic" | "replay" | "test";
            /** @description Milliseconds until the answer */
            latency_ms: number | null;
            /**
             * Format: date-time
             * @description When the next attempt is made
             */
            next_attempt_at: string | null;
            /** @description First 2 KB of the body sent */
            request_body: string | null;
            /** @description First 2 KB of the response */
            response_body: string | null;
            /** @description HTTP status of the receiver */
            response_code: number | null;
            /**
             * @description State of the attempt. `retrying`: it failed, and another attempt is made at `next_attempt_at`. It keeps this state when that attempt has been made, which is a delivery of its own
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "retrying" | "abandoned";
            /**
             * @description Id of the endpoint
             * @example wh_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            webhook_id: string;
        };
        /** @description A page of deliveries, newest first */
        DeliveryPage: {
            /** @description The objects of the page */
            data: components["schemas"]["Delivery"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description The link's own destinations. For a null, the environment's default is used */
        Destinations: {
            /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme` */
            android: string | null;
            /** @description On a desktop: http or https */
            desktop: string | null;
            /** @description If no other destination applies: http or https */
            fallback: string | null;
            /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme` */
            ios: string | null;
            /** @description In a browser: http or https */
            web: string | null;
        };
        /** @description A destination that looks suspicious; it is stored anyway */
        DestinationWarning: {
            /**
             * @description Code of the warning
             * @enum {string}
             */
            code: "destination_suspicious";
            /** @description What is suspicious, for people */
            detail: string;
            /**
             * @description JSON Pointer to the field
             * @example /redirects/web
             */
            pointer: string;
            /** @description The reasons, as stable codes */
            reasons: ("ip_host" | "punycode_host" | "mixed_script_host" | "credentials_in_url" | "unusual_port" | "insecure_http" | "url_shortener" | "open_redirect_parameter" | "executable_download")[];
        };
        /** @description A custom host for short URLs */
        Domain: {
            /** @description Whether a path that leads nowhere is tried again in lower case, so that `/Spring` leads to `/spring`. Existing links do not collide when you switch it on, because the exact path is always tried first: the links `/Spring` and `/spring` keep their own visitors, and `/SPRING`, which led nowhere before, leads to `/spring`. Only links and aliases that are all lower case get visitors of other spellings */
            case_insensitive: boolean;
            /**
             * Format: date-time
             * @description When the domain was added
             */
            created_at: string;
            /** @description The DNS record to set. It proves that the host is yours */
            dns_record: {
                /**
                 * @description Name of the record
                 * @example _link-verification.links.example.com
                 */
                name: string;
                /**
                 * @description Type of the record
                 * @constant
                 */
                type: "TXT";
                /** @description Value of the record */
                value: string;
            };
            /**
             * @description What the last check found instead of the record: no TXT record, other TXT records, or no response from DNS; `taken`: another environment has verified the host
             * @enum {string|null}
             */
            failure_reason: "record_missing" | "record_differs" | "dns_error" | "taken" | null;
            /**
             * @description The custom host, in lower case and ASCII
             * @example links.example.com
             */
            hostname: string;
            /**
             * @description Id of the domain
             * @example dom_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * Format: date-time
             * @description When the record was last looked up
             */
            last_checked_at: string | null;
            /** @description Default style of QR codes of links that are shown on this host. A request for a QR code can override it. Absent members have their usual defaults; null if there is no style */
            qr_style: {
                /** @description Colour of the light parts */
                background?: string;
                /**
                 * @description Form of the dark parts
                 * @enum {string}
                 */
                dots?: "square" | "rounded" | "dots";
                /**
                 * @description How much of the symbol may be lost: 7, 15, 25 or 30 %. By default M, with a logo H
                 * @enum {string}
                 */
                error_correction?: "L" | "M" | "Q" | "H";
                /** @description Colour of the dark parts, such as 0d3b66, with or without a #. Scanners need it to be darker than the background */
                foreground?: string;
                /** @description Draws a frame around the code with this line below it, in Latin, Greek or Cyrillic letters. The image is then higher than wide */
                frame_text?: string;
                /** @description Width of the light margin, in modules. ISO/IEC 18004 requires 4 */
                margin?: number;
            } | null;
            /** @description Where to send visitors whose URL leads nowhere; null shows a page of the service */
            redirects: {
                /** @description For a link that has expired */
                expired: string | null;
                /** @description For a path that leads nowhere, and for a disabled link */
                not_found: string | null;
                /** @description For the root of the host, `/` */
                root: string | null;
            };
            /**
             * @description `pending` until the record is found; a verified host answers the links of the environment
             * @enum {string}
             */
            status: "pending" | "verified" | "failed";
            /**
             * Format: date-time
             * @description When its state last changed
             */
            updated_at: string;
        };
        /** @description A domain to add */
        DomainCreate: {
            /**
             * Format: plain-text
             * @description A host name of yours, without scheme and port, for example `links.example.com`
             */
            hostname: string;
        };
        /** @description A page of domains, newest first */
        DomainPage: {
            /** @description The objects of the page */
            data: components["schemas"]["Domain"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description The environment of the key, and its settings */
        Environment: {
            /** @description Android apps that may open the links */
            android_apps: {
                /** @description Package name */
                package_name: string;
                /** @description Page of the app in the Play Store */
                play_store_url: string | null;
                /** @description SHA-256 fingerprints of the signing certificates */
                sha256_cert_fingerprints: string[];
                /**
                 * @description Custom scheme of the app, without the colon
                 * @example shop
                 */
                uri_scheme: string | null;
            }[];
            /** @description Whether the id of the click is added as `click_id` to the query of web destinations of links and items, unless they set it themselves or are on a host of this service. The client SDK on such a page keeps it and sends it with `track`, so that purchases there are counted */
            append_click_id: boolean;
            /** @description Minutes after a click in which a first open may be matched to it */
            attribution_window_minutes: number;
            /** @description What visitors see on the pages of the link hosts: the page that opens the app, the one that asks for a password, and those without a destination */
            brand: {
                /**
                 * @description Colour of buttons and icons, as `#rrggbb`. Where text in it would be hard to read on the light or the dark page, the page uses a darker or lighter shade
                 * @example #0d3b66
                 */
                color: string | null;
                /** @description Logo, as a PNG in base64 */
                logo: string | null;
                /**
                 * @description Name that the pages show instead of the name of the project
                 * @example Shop
                 */
                name: string | null;
                /** @description Help page to which the pages link: http or https */
                support_url: string | null;
            };
            /**
             * Format: date-time
             * @description When the environment was made
             */
            created_at: string;
            /** @description Where links lead that set no destination of their own. `{deep_link_path}` is replaced by the in-app route of the link. If neither the link nor the environment sets a destination, a phone is sent to the store page of the first app in `ios_apps` or `android_apps`. */
            default_destinations: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme` */
                android: string | null;
                /** @description On a desktop: http or https */
                desktop: string | null;
                /** @description If no other destination applies: http or https */
                fallback: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme` */
                ios: string | null;
                /** @description In a browser: http or https */
                web: string | null;
            };
            /**
             * @description Id of the environment
             * @example env_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /** @description Phones on their way to a store or an app go over the page that opens the app */
            interstitial: boolean;
            /** @description iOS apps that may open the links */
            ios_apps: {
                /** @description Page of the app in the App Store */
                app_store_url: string | null;
                /** @description Bundle ID */
                bundle_id: string;
                /** @description Team ID */
                team_id: string;
                /**
                 * @description Custom scheme of the app, without the colon
                 * @example shop
                 */
                uri_scheme: string | null;
            }[];
            /**
             * @description Host of short URLs; set by the operator of the service
             * @example go.example.com
             */
            link_host: string;
            /**
             * @description Origin of short URLs: scheme, link host and, if it is not the default one, port
             * @example https://go.example.com
             */
            link_origin: string;
            /**
             * @description Hosts that long links (`/?link=…`, as in Firebase Dynamic Links) may lead to, besides the store pages of the apps. If the list is empty, long links are off and show a status page
             * @example [
             *       "www.example.com"
             *     ]
             */
            long_link_hosts: string[];
            /**
             * @description Path of the link for which visits of long links count. Its state and its rules apply to all long links
             * @example long
             */
            long_link_path: string | null;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            name: "test" | "live";
            /**
             * @description Host of the page that opens the app
             * @example open.go.example.com
             */
            open_host: string;
            /** @description The project of the environment */
            project: {
                /**
                 * @description Id of the project
                 * @example prj_01jd4v6xq8e5s0m3k7n9p2r4tw
                 */
                id: string;
                /** @description Name of the project */
                name: string;
                /**
                 * @description IANA time zone in which days are counted
                 * @example Europe/Berlin
                 */
                time_zone: string;
            };
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updated_at: string;
            /** @description Origins from which browsers may call `/sdk/*` */
            web_origins: string[];
        };
        /** @description Settings to change. An absent one keeps its value. */
        EnvironmentPatch: {
            /** @description Replaces the list */
            android_apps?: {
                /**
                 * @description Package name
                 * @example com.example.shop
                 */
                package_name: string;
                /** @description https URL of the app in its store. At most 2,048 characters, where an escaped character counts once */
                play_store_url?: string | null;
                /** @description SHA-256 fingerprints of the signing certificates */
                sha256_cert_fingerprints: string[];
                /**
                 * @description Custom scheme of the app, without the colon
                 * @example shop
                 */
                uri_scheme?: string | null;
            }[];
            /** @description Whether the id of the click is added as `click_id` to the query of web destinations of links and items, unless they set it themselves or are on a host of this service. The client SDK on such a page keeps it and sends it with `track`, so that purchases there are counted */
            append_click_id?: boolean;
            /** @description Minutes after a click */
            attribution_window_minutes?: number;
            /**
             * @description An absent member keeps its value, null clears it, and null instead of the object clears all of them.
             * @example {
             *       "name": "Shop",
             *       "color": "#0d3b66",
             *       "support_url": "https://example.com/help"
             *     }
             */
            brand?: {
                /**
                 * @description Colour of buttons and icons, as `#rrggbb`. Where text in it would be hard to read on the light or the dark page, the page uses a darker or lighter shade
                 * @example #0d3b66
                 */
                color?: string | null;
                /** @description A PNG in base64, 8 KiB and 256 pixels wide or high at most. Only its pixels are stored, without metadata. It is shown 64 pixels high */
                logo?: string | null;
                /**
                 * Format: plain-text
                 * @description Name that the pages show instead of the name of the project
                 */
                name?: string | null;
                /** @description Help page to which the pages link: http or https. At most 2,048 characters, where an escaped character counts once */
                support_url?: string | null;
            } | null;
            /**
             * @description An absent platform keeps its value, null clears it, and null instead of the object clears all five. `{deep_link_path}` may be used in path, query and fragment.
             * @example {
             *       "web": "https://example.com{deep_link_path}",
             *       "ios": "https://apps.apple.com/app/id1"
             *     }
             */
            default_destinations?: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                android?: string | null;
                /** @description On a desktop: http or https. At most 2,048 characters, where an escaped character counts once */
                desktop?: string | null;
                /** @description If no other destination applies: http or https. At most 2,048 characters, where an escaped character counts once */
                fallback?: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                ios?: string | null;
                /** @description In a browser: http or https. At most 2,048 characters, where an escaped character counts once */
                web?: string | null;
            } | null;
            /** @description Phones on their way to a store or an app go over the page that opens the app */
            interstitial?: boolean;
            /** @description Replaces the list */
            ios_apps?: {
                /** @description https URL of the app in its store. At most 2,048 characters, where an escaped character counts once */
                app_store_url?: string | null;
                /**
                 * @description Bundle ID
                 * @example com.example.shop
                 */
                bundle_id: string;
                /**
                 * @description Ten letters and digits
                 * @example A1B2C3D4E5
                 */
                team_id: string;
                /**
                 * @description Custom scheme of the app, without the colon
                 * @example shop
                 */
                uri_scheme?: string | null;
            }[];
            /**
             * @description Replaces the list. Hosts that long links (`/?link=…`, as in Firebase Dynamic Links) may lead to, besides the store pages of the apps. If the list is empty, long links are off and show a status page. A host does not include its subdomains
             * @example [
             *       "www.example.com"
             *     ]
             */
            long_link_hosts?: string[];
            /**
             * Format: plain-text
             * @description Path of the link for which visits of long links count. Its state and its rules apply to all long links. The link must exist
             */
            long_link_path?: string | null;
            /**
             * Format: plain-text
             * @description A host name below the link host or below a verified domain of the environment
             */
            open_host?: string;
            /**
             * @description Replaces the list. Origins as browsers send them: scheme, host, and the port if it is not the default one. IDN is stored in ASCII. No wildcards. `capacitor://localhost` and `ionic://localhost` are origins of apps
             * @example [
             *       "https://www.example.com",
             *       "http://localhost:5173"
             *     ]
             */
            web_origins?: string[];
        };
        /** @description One offending field */
        FieldError: {
            /**
             * @description Stable code of what is wrong
             * @enum {string}
             */
            code: "required" | "unknown_field" | "wrong_type" | "too_long" | "too_small" | "too_large" | "too_many" | "duplicate" | "invalid_value" | "invalid_format" | "number_not_exact" | "control_character" | "key_too_long" | "reserved" | "invalid_url" | "scheme_not_allowed" | "host_not_public" | "host_not_allowed" | "unknown_placeholder" | "missing_placeholder" | "misplaced_placeholder" | "segment_count" | "id_count" | "empty_segment" | "dot_segment" | "invalid_character" | "too_short" | "too_few" | "unresolvable_host" | "unknown_link" | "unknown_campaign" | "unknown_resource_type" | "unknown_domain" | "url_blocked" | "taken" | "invalid_cursor" | "invalid_range";
            /** @description What is wrong, for people */
            detail: string;
            /**
             * @description Part of the request that the pointer refers to
             * @enum {string}
             */
            in: "body" | "query" | "path" | "header";
            /** @description JSON Pointer to the field; empty for the whole document */
            pointer: string;
        };
        /** @description An installation of an app */
        Install: {
            /**
             * @description Whether its first open was matched
             * @enum {string}
             */
            attribution: "attributed" | "organic";
            /** @description Key of the campaign that the link had then */
            campaign: string | null;
            /** @description Click that it used up, clk_... */
            click_id: string | null;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Whether the match is certain */
            guaranteed: boolean;
            /** @description Id that the app gave the installation */
            install_id: string;
            /** @description Item that it came from */
            item_id: string | null;
            /** @description Link that it came from, lnk_... */
            link_id: string | null;
            /**
             * @description The rule that matched
             * @enum {string|null}
             */
            match_type: "opened_url" | "play_referrer" | "clipboard" | "probabilistic" | null;
            /** @description Model of the device, as the app sent it */
            model: string | null;
            /**
             * Format: date-time
             * @description When it was opened for the first time
             */
            opened_at: string;
            /** @description Version of the operating system, as the app sent it */
            os_version: string | null;
            /**
             * @description Platform of the device
             * @enum {string}
             */
            platform: "ios" | "android" | "other";
            /**
             * @description Why the first open was or was not matched, as the response said then
             * @enum {string}
             */
            reason: "matched" | "ambiguous" | "click_used" | "click_expired" | "click_unknown" | "address_not_matchable" | "os_version_unknown" | "no_candidate" | "no_link";
            /** @description Key of the resource type that it came from */
            resource_type: string | null;
        };
        /** @description The key of the request */
        Key: {
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /**
             * @description Id of the key
             * @example key_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /** @description What the operator has called it */
            name: string;
            /** @description What the key may do */
            scopes: ("links:read" | "links:write" | "analytics:read" | "webhooks:write")[];
        };
        /** @description A page of keys, newest first */
        KeyPage: {
            /** @description The objects of the page */
            data: components["schemas"]["ListedKey"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description A short link */
        Link: {
            /**
             * Format: date-time
             * @description When the link begins to work. Before that, visitors see the page for a link that does not exist
             */
            active_from: string | null;
            /** @description Other addresses that lead to the link */
            aliases: {
                /** @description The environment's link host, or a verified domain of it */
                host: string;
                /** @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed */
                path: string;
            }[];
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
            allow_param_passthrough: boolean;
            /** @description Whether the link is left out of lists by default. It keeps working */
            archived: boolean;
            /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
            campaign: string | null;
            /** @description Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination. */
            card: {
                /** @description Description */
                description: string | null;
                /** @description Image: https */
                image_url: string | null;
                /** @description Title; null shows the name of the project */
                title: string | null;
            } | null;
            /** @description Notes for people who work with the link. Visitors and apps do not see them */
            comments: string | null;
            /**
             * Format: date-time
             * @description When the link was made
             */
            created_at: string;
            /**
             * @description Name that the API key had when it created the link; `linkd import` for links that were imported on the command line; null for links that are older than this field
             * @example Newsletter
             */
            created_by: string | null;
            /** @description Custom JSON delivered to the app */
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * @description In-app route
             * @example /product/42
             */
            deep_link_path: string;
            destinations: components["schemas"]["Destinations"];
            /** @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link */
            domain: string | null;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /**
             * Format: date-time
             * @description When the link stops working
             */
            expires_at: string | null;
            /**
             * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2). They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database.
             * @example {
             *       "DE": "https://example.de/"
             *     }
             */
            geo: {
                [key: string]: string;
            } | null;
            /** @description Whether visitors are asked for a password */
            has_password: boolean;
            /**
             * @description Id of the link
             * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
            interstitial: boolean | null;
            /** @description How many clicks the link accepts. After that it has expired */
            max_clicks: number | null;
            /**
             * @description Path on the link host
             * @example spring
             */
            path: string;
            /**
             * @description `expired` results from `expires_at` or `max_clicks`, `scheduled` from `active_from`; `blocked` is set by the operator of the service
             * @enum {string}
             */
            status: "active" | "scheduled" | "disabled" | "blocked" | "expired";
            /**
             * @description Names of tags, in the order in which they were given
             * @example [
             *       "spring",
             *       "print"
             *     ]
             */
            tags: string[];
            /** @description Name for people who work with the link. Visitors do not see it */
            title: string | null;
            /**
             * Format: date-time
             * @description When the link was last changed
             */
            updated_at: string;
            /**
             * Format: uri
             * @description The full short URL
             * @example https://go.example.com/spring
             */
            url: string;
            /** @description UTM campaign; takes precedence over the campaign */
            utm_campaign: string | null;
            /** @description UTM content; takes precedence over the campaign */
            utm_content: string | null;
            /** @description UTM medium; takes precedence over the campaign */
            utm_medium: string | null;
            /** @description UTM source; takes precedence over the campaign */
            utm_source: string | null;
            /** @description UTM term; takes precedence over the campaign */
            utm_term: string | null;
        };
        /** @description A link to make */
        LinkCreate: {
            /**
             * Format: date-time
             * @description When the link begins to work: ISO 8601 with any offset. Before that, visitors get 404
             */
            active_from?: string | null;
            /**
             * @description Other addresses of the link. They replace the aliases that it has. A visit to an alias works like a visit to the link, and the click names the alias. An alias takes precedence over the path of another link and over every URL template. An alias of another link is taken (409), and so is the URL of another link, in both cases until 90 days after that link is deleted. The path of that link on another host is free. Different escapings of the same path are equal, and a trailing slash is ignored.
             * @example [
             *       {
             *         "host": "go.example.com",
             *         "path": "sale/2027.html"
             *       }
             *     ]
             */
            aliases?: {
                /** @description The environment's link host, or a verified domain of it */
                host: string;
                /**
                 * Format: plain-text
                 * @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed
                 */
                path: string;
            }[] | null;
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app (default: `false`) */
            allow_param_passthrough?: boolean | null;
            /** @description Whether the link is left out of lists by default. It keeps working (default: `false`) */
            archived?: boolean | null;
            /**
             * Format: plain-text
             * @description Key of a campaign of the environment. Its UTM fields are the defaults
             */
            campaign?: string | null;
            /**
             * @description Preview card that chats and social networks show for the link. In a PATCH an absent member keeps its value, null clears it, and null instead of the object clears all three.
             * @example {
             *       "title": "Spring sale",
             *       "image_url": "https://example.com/spring.png"
             *     }
             */
            card?: {
                /**
                 * Format: plain-text
                 * @description Description
                 */
                description?: string | null;
                /** @description Image: https. At most 2,048 characters, where an escaped character counts once */
                image_url?: string | null;
                /**
                 * Format: plain-text
                 * @description Title; null shows the name of the project
                 */
                title?: string | null;
            } | null;
            /**
             * Format: plain-lines
             * @description Notes for people who work with the link. Visitors and apps do not see them
             */
            comments?: string | null;
            /**
             * Format: date-time
             * @description When the link was created at another service, in the past. Only for links that you import from there
             */
            created_at?: string | null;
            /**
             * @description Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters
             * @example {
             *       "product": 42
             *     }
             */
            data?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: plain-text
             * @description In-app route; starts with `/` (default: `"/"`)
             * @example /product/42
             */
            deep_link_path?: string | null;
            /**
             * @description The link's own destinations. In a PATCH an absent platform keeps its value, null resets it to the environment's default, and null instead of the object resets all five.
             * @example {
             *       "ios": "https://apps.apple.com/app/id1",
             *       "web": "https://example.com/p/42"
             *     }
             */
            destinations?: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                android?: string | null;
                /** @description On a desktop: http or https. At most 2,048 characters, where an escaped character counts once */
                desktop?: string | null;
                /** @description If no other destination applies: http or https. At most 2,048 characters, where an escaped character counts once */
                fallback?: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                ios?: string | null;
                /** @description In a browser: http or https. At most 2,048 characters, where an escaped character counts once */
                web?: string | null;
            } | null;
            /**
             * Format: plain-text
             * @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link
             */
            domain?: string | null;
            /**
             * Format: date-time
             * @description When the link stops working: ISO 8601 with any offset
             */
            expires_at?: string | null;
            /**
             * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2): http or https. They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database. A PATCH replaces all of them.
             * @example {
             *       "DE": "https://example.de/",
             *       "FR": "https://example.fr/"
             *     }
             */
            geo?: {
                [key: string]: string;
            } | null;
            /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
            interstitial?: boolean | null;
            /** @description How many clicks the link accepts, exactly and over all link hosts together, counted from the time when the limit is first set. After that it has expired (410). Every click counts, including those of bots. Phones are not sent to the page that opens the app, and a preview bot gets a card. While the database is unavailable, visitors are asked to try again (503). */
            max_clicks?: number | null;
            /**
             * Format: plain-text
             * @description Visitors have to enter it on a page (401) before they are redirected. It is stored as a hash (scrypt) and never shown; `has_password` says whether there is one. Phones are not sent to the page that opens the app, and a preview bot gets a card.
             */
            password?: string | null;
            /**
             * @description Path on the link host. If it is absent, a path of 7 characters is generated
             * @example spring
             */
            path?: string | null;
            /**
             * @description Names of tags. They replace those that the link has. A tag is created when it is first used.
             * @example [
             *       "spring",
             *       "print"
             *     ]
             */
            tags?: string[] | null;
            /**
             * Format: plain-text
             * @description Name for people who work with the link. Visitors do not see it
             */
            title?: string | null;
            /**
             * Format: plain-text
             * @description UTM campaign; takes precedence over the campaign
             */
            utm_campaign?: string | null;
            /**
             * Format: plain-text
             * @description UTM content; takes precedence over the campaign
             */
            utm_content?: string | null;
            /**
             * Format: plain-text
             * @description UTM medium; takes precedence over the campaign
             */
            utm_medium?: string | null;
            /**
             * Format: plain-text
             * @description UTM source; takes precedence over the campaign
             */
            utm_source?: string | null;
            /**
             * Format: plain-text
             * @description UTM term; takes precedence over the campaign
             */
            utm_term?: string | null;
        };
        /** @description A page of links, newest first unless they are sorted otherwise */
        LinkPage: {
            /** @description The objects of the page */
            data: {
                /**
                 * Format: date-time
                 * @description When the link begins to work. Before that, visitors see the page for a link that does not exist
                 */
                active_from: string | null;
                /** @description Other addresses that lead to the link */
                aliases: {
                    /** @description The environment's link host, or a verified domain of it */
                    host: string;
                    /** @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed */
                    path: string;
                }[];
                /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
                allow_param_passthrough: boolean;
                /** @description Whether the link is left out of lists by default. It keeps working */
                archived: boolean;
                /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                campaign: string | null;
                /** @description Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination. */
                card: {
                    /** @description Description */
                    description: string | null;
                    /** @description Image: https */
                    image_url: string | null;
                    /** @description Title; null shows the name of the project */
                    title: string | null;
                } | null;
                /** @description Clicks by people over the last 30 days of the project, today included: the same as `totals.human` of the range `30d` in the statistics of the link. It is summed up in the background and is some seconds old, or minutes if hundreds of thousands of links are clicked on all the time. Only with `include` */
                clicks?: number;
                /** @description Notes for people who work with the link. Visitors and apps do not see them */
                comments: string | null;
                /**
                 * Format: date-time
                 * @description When the link was made
                 */
                created_at: string;
                /**
                 * @description Name that the API key had when it created the link; `linkd import` for links that were imported on the command line; null for links that are older than this field
                 * @example Newsletter
                 */
                created_by: string | null;
                /** @description Clicks by people on each of the last 30 days of the project, oldest first and today last, as counted so far. Only with `include=daily_clicks`, and absent while the store of clicks is unavailable */
                daily_clicks?: number[];
                /** @description Custom JSON delivered to the app */
                data: {
                    [key: string]: unknown;
                } | null;
                /**
                 * @description In-app route
                 * @example /product/42
                 */
                deep_link_path: string;
                /**
                 * Format: date-time
                 * @description When the link was deleted. Only with `status=deleted`
                 */
                deleted_at?: string;
                destinations: components["schemas"]["Destinations"];
                /** @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link */
                domain: string | null;
                /**
                 * @description Environment the object belongs to
                 * @enum {string}
                 */
                environment: "test" | "live";
                /**
                 * Format: date-time
                 * @description When the link stops working
                 */
                expires_at: string | null;
                /**
                 * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2). They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database.
                 * @example {
                 *       "DE": "https://example.de/"
                 *     }
                 */
                geo: {
                    [key: string]: string;
                } | null;
                /** @description Whether visitors are asked for a password */
                has_password: boolean;
                /**
                 * @description Id of the link
                 * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                 */
                id: string;
                /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
                interstitial: boolean | null;
                /** @description How many clicks the link accepts. After that it has expired */
                max_clicks: number | null;
                /**
                 * @description Path on the link host
                 * @example spring
                 */
                path: string;
                /**
                 * @description `expired` results from `expires_at` or `max_clicks`, `scheduled` from `active_from`; `blocked` is set by the operator of the service; `deleted` is shown with `status=deleted` only
                 * @enum {string}
                 */
                status: "active" | "scheduled" | "disabled" | "blocked" | "expired" | "deleted";
                /**
                 * @description Names of tags, in the order in which they were given
                 * @example [
                 *       "spring",
                 *       "print"
                 *     ]
                 */
                tags: string[];
                /** @description Name for people who work with the link. Visitors do not see it */
                title: string | null;
                /**
                 * Format: date-time
                 * @description When the link was last changed
                 */
                updated_at: string;
                /**
                 * Format: uri
                 * @description The full short URL
                 * @example https://go.example.com/spring
                 */
                url: string;
                /** @description UTM campaign; takes precedence over the campaign */
                utm_campaign: string | null;
                /** @description UTM content; takes precedence over the campaign */
                utm_content: string | null;
                /** @description UTM medium; takes precedence over the campaign */
                utm_medium: string | null;
                /** @description UTM source; takes precedence over the campaign */
                utm_source: string | null;
                /** @description UTM term; takes precedence over the campaign */
                utm_term: string | null;
            }[];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Fields to change. An absent field keeps its value, null clears it. The path cannot change. */
        LinkPatch: {
            /**
             * Format: date-time
             * @description When the link begins to work: ISO 8601 with any offset. Before that, visitors get 404
             */
            active_from?: string | null;
            /**
             * @description Other addresses of the link. They replace the aliases that it has. A visit to an alias works like a visit to the link, and the click names the alias. An alias takes precedence over the path of another link and over every URL template. An alias of another link is taken (409), and so is the URL of another link, in both cases until 90 days after that link is deleted. The path of that link on another host is free. Different escapings of the same path are equal, and a trailing slash is ignored.
             * @example [
             *       {
             *         "host": "go.example.com",
             *         "path": "sale/2027.html"
             *       }
             *     ]
             */
            aliases?: {
                /** @description The environment's link host, or a verified domain of it */
                host: string;
                /**
                 * Format: plain-text
                 * @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed
                 */
                path: string;
            }[] | null;
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
            allow_param_passthrough?: boolean;
            /** @description Whether the link is left out of lists by default. It keeps working */
            archived?: boolean;
            /**
             * Format: plain-text
             * @description Key of a campaign of the environment. Its UTM fields are the defaults
             */
            campaign?: string | null;
            /**
             * @description Preview card that chats and social networks show for the link. In a PATCH an absent member keeps its value, null clears it, and null instead of the object clears all three.
             * @example {
             *       "title": "Spring sale",
             *       "image_url": "https://example.com/spring.png"
             *     }
             */
            card?: {
                /**
                 * Format: plain-text
                 * @description Description
                 */
                description?: string | null;
                /** @description Image: https. At most 2,048 characters, where an escaped character counts once */
                image_url?: string | null;
                /**
                 * Format: plain-text
                 * @description Title; null shows the name of the project
                 */
                title?: string | null;
            } | null;
            /**
             * Format: plain-lines
             * @description Notes for people who work with the link. Visitors and apps do not see them
             */
            comments?: string | null;
            /**
             * @description Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters
             * @example {
             *       "product": 42
             *     }
             */
            data?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: plain-text
             * @description In-app route; starts with `/`
             * @example /product/42
             */
            deep_link_path?: string;
            /**
             * @description The link's own destinations. In a PATCH an absent platform keeps its value, null resets it to the environment's default, and null instead of the object resets all five.
             * @example {
             *       "ios": "https://apps.apple.com/app/id1",
             *       "web": "https://example.com/p/42"
             *     }
             */
            destinations?: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                android?: string | null;
                /** @description On a desktop: http or https. At most 2,048 characters, where an escaped character counts once */
                desktop?: string | null;
                /** @description If no other destination applies: http or https. At most 2,048 characters, where an escaped character counts once */
                fallback?: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                ios?: string | null;
                /** @description In a browser: http or https. At most 2,048 characters, where an escaped character counts once */
                web?: string | null;
            } | null;
            /**
             * Format: plain-text
             * @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link
             */
            domain?: string | null;
            /**
             * Format: date-time
             * @description When the link stops working: ISO 8601 with any offset
             */
            expires_at?: string | null;
            /**
             * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2): http or https. They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database. A PATCH replaces all of them.
             * @example {
             *       "DE": "https://example.de/",
             *       "FR": "https://example.fr/"
             *     }
             */
            geo?: {
                [key: string]: string;
            } | null;
            /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
            interstitial?: boolean | null;
            /** @description How many clicks the link accepts, exactly and over all link hosts together, counted from the time when the limit is first set. After that it has expired (410). Every click counts, including those of bots. Phones are not sent to the page that opens the app, and a preview bot gets a card. While the database is unavailable, visitors are asked to try again (503). */
            max_clicks?: number | null;
            /**
             * Format: plain-text
             * @description Visitors have to enter it on a page (401) before they are redirected. It is stored as a hash (scrypt) and never shown; `has_password` says whether there is one. Phones are not sent to the page that opens the app, and a preview bot gets a card.
             */
            password?: string | null;
            /**
             * @description Disable the link, or enable it again
             * @enum {string}
             */
            status?: "active" | "disabled";
            /**
             * @description Names of tags. They replace those that the link has. A tag is created when it is first used.
             * @example [
             *       "spring",
             *       "print"
             *     ]
             */
            tags?: string[] | null;
            /**
             * Format: plain-text
             * @description Name for people who work with the link. Visitors do not see it
             */
            title?: string | null;
            /**
             * Format: plain-text
             * @description UTM campaign; takes precedence over the campaign
             */
            utm_campaign?: string | null;
            /**
             * Format: plain-text
             * @description UTM content; takes precedence over the campaign
             */
            utm_content?: string | null;
            /**
             * Format: plain-text
             * @description UTM medium; takes precedence over the campaign
             */
            utm_medium?: string | null;
            /**
             * Format: plain-text
             * @description UTM source; takes precedence over the campaign
             */
            utm_source?: string | null;
            /**
             * Format: plain-text
             * @description UTM term; takes precedence over the campaign
             */
            utm_term?: string | null;
        };
        /** @description A short URL or path to try */
        LinkTest: {
            /**
             * Format: country
             * @description Country of the visitor: ISO 3166-1 alpha-2. If it is absent, the country is unknown
             * @example DE
             */
            country?: string | null;
            /**
             * @description A URL or a path, including the query that a visitor would send
             * @example https://go.example.com/spring?ref=mail
             * @example /spring
             */
            path: string;
            /**
             * @description A person on this platform. It takes precedence over `user_agent`. If both are absent, it is `desktop`
             * @enum {string|null}
             */
            platform?: "ios" | "android" | "desktop" | "other" | null;
            /**
             * Format: plain-text
             * @description The `User-Agent` of the visitor. As on a visit, it decides the platform and whether the visitor is a bot or a preview bot
             */
            user_agent?: string | null;
        };
        /** @description What a visitor of a short URL gets */
        LinkTestResult: {
            /** @description Custom JSON that the app gets */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description In-app route that the app gets */
            deep_link_path: string | null;
            /** @description Where the visitor is sent, including the parameters; the id of the click is added on a real visit. For a link that leads nowhere, it is the page in `redirects` of the custom host, if there is one */
            destination: string | null;
            /** @description The reason, in a sentence */
            detail: string;
            /** @description Id of the link, also of a deleted one; null if there is none */
            link_id: string | null;
            /**
             * @description What the visitor gets. `redirect`: to the destination; `to_open_page`: to the same path on the open host; `to_store`: to the store, after the button of the open page did not open the app; `to_link`: from the open host to the link; `open_page`, `app_page`: a page that opens the app; `no_destination`: a page that names the app; `password_page`: the page that asks for the password of the link (the other fields say where it leads visitors who know the password); `card`: a preview card; `preview_redirect`: a preview bot is redirected to the web destination, and the card of that page is shown. Any other value says why the link leads nowhere
             * @enum {string|null}
             */
            outcome: "redirect" | "to_open_page" | "to_store" | "to_link" | "open_page" | "app_page" | "no_destination" | "card" | "preview_redirect" | "not_found" | "scheduled" | "disabled" | "expired" | "deleted" | "blocked" | "password_page" | null;
            /** @description Query parameters that the app gets; if a name repeats, its first value */
            params: {
                [key: string]: string;
            } | null;
            /** @description Whether the whole query is dropped because it is too large */
            params_dropped: boolean;
            /**
             * @description `link`: a path that a link can have, whether or not the link exists; `reserved`: an address that the link host uses itself; `no_link`: a path that no link can have
             * @enum {string}
             */
            result: "link" | "no_link" | "reserved" | "unknown_host";
            /** @description The HTTP status visitors get */
            status: number | null;
            /** @description Every rule that applied, in order, with its inputs. These are the rules for real visitors, run by the same code. New rules may be added. */
            trace: {
                /** @description The result, for people */
                detail: string;
                /** @description The inputs of the rule */
                inputs: {
                    [key: string]: unknown;
                };
                /**
                 * @description Stable name of the rule
                 * @example destination
                 */
                rule: string;
            }[];
        };
        /** @description A key, without its secret part */
        ListedKey: {
            /**
             * Format: date-time
             * @description When the key was made
             */
            created_at: string;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /**
             * @description Id of the key
             * @example key_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * @description A secret key is for servers, a publishable one for apps and browsers
             * @enum {string}
             */
            kind: "secret" | "publishable";
            /**
             * Format: date-time
             * @description When the key was last used, to the minute, also for calls that its scopes do not allow; null if never
             */
            last_used_at: string | null;
            /**
             * @description How the key ends
             * @example 9xQ2
             */
            last4: string;
            /** @description What the operator has called it */
            name: string;
            /**
             * @description How the key begins
             * @example sk_live_
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When the key was revoked
             */
            revoked_at: string | null;
            /** @description What the key may do. A publishable key has no scopes and is accepted on `/sdk/*` only */
            scopes: ("links:read" | "links:write" | "analytics:read" | "webhooks:write")[];
            /**
             * @description A revoked key is refused
             * @enum {string}
             */
            status: "active" | "revoked";
        };
        /** @description An error (RFC 9457) */
        Problem: {
            /**
             * @description Stable code of the error
             * @enum {string}
             */
            code: "bad_request" | "unauthorized" | "password_required" | "insufficient_scope" | "origin_not_allowed" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "url_blocked" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "service_unavailable";
            /** @description What is wrong with this request, for people */
            detail: string;
            /** @description Every offending field. Present with `validation_failed` and `url_blocked`, and with a `conflict` about a value that is taken */
            errors?: components["schemas"]["FieldError"][];
            /** @description `urn:request:` and the id of the request, as in `X-Request-Id` */
            instance: string;
            /** @description The HTTP status */
            status: number;
            /** @description What kind of error it is; the same for every occurrence */
            title: string;
            /** @description `urn:problem:` and the code */
            type: string;
        };
        /** @description A resource type: what the items behind a URL template are */
        ResourceType: {
            /**
             * Format: date-time
             * @description When the type was made
             */
            created_at: string;
            /**
             * @description Id of the resource type
             * @example rt_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * @description Stable machine name, used in payloads. It never changes and cannot be used for another type
             * @example product
             */
            key: string;
            /** @description For people */
            name: string;
            /**
             * @description Templates of an archived type resolve nothing, and their patterns stay taken
             * @enum {string}
             */
            status: "active" | "archived";
            /**
             * Format: date-time
             * @description When the type was last changed
             */
            updated_at: string;
        };
        /** @description A resource type to make */
        ResourceTypeCreate: {
            /**
             * @description Stable machine name: lower-case letters, digits, `_` and `-`, starting with a letter
             * @example product
             */
            key: string;
            /**
             * Format: plain-text
             * @description For people
             */
            name: string;
        };
        /** @description A page of resource types, newest first */
        ResourceTypePage: {
            /** @description The objects of the page */
            data: components["schemas"]["ResourceType"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Fields to change. An absent field keeps its value. The key cannot change. */
        ResourceTypePatch: {
            /**
             * Format: plain-text
             * @description For people
             */
            name?: string;
            /**
             * @description `archived` is final
             * @enum {string}
             */
            status?: "active" | "archived";
        };
        /** @description A view as its public link shows it, with names instead of ids */
        SharedView: {
            /**
             * Format: date-time
             * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
             */
            as_of: string;
            /** @description Sorted by `measure`, largest first, at most 1,000 rows */
            breakdown: {
                /** @description All clicks, including those of bots */
                all: number;
                /** @description Clicks by people: without bots and prefetches */
                human: number;
                /** @description Key of the type of an item; null for anything else */
                resource_type: string | null;
                /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                unique: number;
                /** @description The path of a link, or the value of anything else; null if there is none */
                value: string | null;
            }[];
            /**
             * @description What clicks are grouped by; null for no groups
             * @enum {string|null}
             */
            breakdown_by: "link" | "campaign" | "resource_type" | "item" | "host" | "path" | "source" | "referrer_host" | "in_app_browser" | "platform" | "os" | "os_version" | "browser" | "browser_version" | "country" | "region" | "city" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "bot_reason" | "tag" | null;
            /** @description Filters of the clicks; empty if all clicks are counted */
            filters: {
                /**
                 * @description The dimension of the filter
                 * @enum {string}
                 */
                filter: "link" | "campaign" | "resource_type" | "item" | "host" | "path" | "source" | "referrer_host" | "in_app_browser" | "platform" | "os" | "os_version" | "browser" | "browser_version" | "country" | "region" | "city" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "bot_reason" | "tag";
                /** @description The value of the filter; for a link, its path. Null for clicks without a value, and for a link that no longer exists */
                value: string | null;
            }[];
            /**
             * Format: date
             * @description First day, in the project’s time zone
             * @example 2026-11-20
             */
            from: string;
            /**
             * @description What one entry of `series` covers
             * @enum {string}
             */
            interval: "hour" | "day" | "week" | "month";
            /**
             * @description What the chart shows and the breakdown is sorted by: clicks by people, unique visitors, or all clicks
             * @enum {string}
             */
            measure: "human" | "unique" | "all";
            /** @description Name of the view */
            name: string;
            /** @description The same number of days before; null unless the view compares */
            previous: {
                /**
                 * Format: date
                 * @description First day
                 * @example 2026-11-20
                 */
                from: string;
                /**
                 * Format: date
                 * @description Last day
                 * @example 2026-11-20
                 */
                to: string;
                /** @description Over the whole range */
                totals: {
                    /** @description All clicks, including those of bots */
                    all: number;
                    /** @description Clicks by people: without bots and prefetches */
                    human: number;
                    /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                    unique: number;
                };
            } | null;
            /** @description Every hour, day, week or month of the range that has begun, including those without clicks, oldest first */
            series: {
                /** @description All clicks, including those of bots */
                all: number;
                /**
                 * Format: date
                 * @description Its first day within the range
                 * @example 2026-11-20
                 */
                date: string;
                /** @description Clicks by people: without bots and prefetches */
                human: number;
                /**
                 * Format: date-time
                 * @description When it begins
                 */
                start: string;
                /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                unique: number;
            }[];
            /**
             * @description Time zone of the project
             * @example Europe/Berlin
             */
            timezone: string;
            /**
             * Format: date
             * @description Last day, in the project’s time zone
             * @example 2026-11-20
             */
            to: string;
            /** @description Over the whole range */
            totals: {
                /** @description All clicks, including those of bots */
                all: number;
                /** @description Clicks by people: without bots and prefetches */
                human: number;
                /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                unique: number;
            };
        };
        /** @description A tag of links */
        Tag: {
            /**
             * Format: date-time
             * @description When the tag was first used
             */
            created_at: string;
            /**
             * @description Id of the tag
             * @example tag_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * @description Name of the tag
             * @example spring
             */
            name: string;
            /**
             * Format: date-time
             * @description When the tag was last renamed
             */
            updated_at: string;
        };
        /** @description A page of tags, newest first */
        TagPage: {
            /** @description The objects of the page */
            data: components["schemas"]["Tag"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description A tracked event */
        TrackedEvent: {
            /** @description Key of the campaign that the link had at the click */
            campaign: string | null;
            /** @description Click it belongs to: the one that was named, if the log has it, or else the one that its installation came from. Without an installation, it is the one that was named */
            click_id: string | null;
            /**
             * Format: date-time
             * @description When it was stored
             */
            created_at: string;
            /** @description ISO 4217 code of the amount */
            currency: string | null;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /**
             * @description Id of the event; webhook endpoints get `event.tracked` under the same id
             * @example evt_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /** @description Installation it belongs to */
            install_id: string | null;
            /** @description Item that was clicked on */
            item_id: string | null;
            /** @description Link of that click */
            link_id: string | null;
            /** @description What happened */
            name: string;
            /**
             * Format: date-time
             * @description When it happened
             */
            occurred_at: string;
            /** @description Custom properties */
            properties: {
                [key: string]: unknown;
            } | null;
            /** @description Key of the resource type of the item that was clicked on */
            resource_type: string | null;
            /**
             * @description Who reported it
             * @enum {string}
             */
            source: "sdk" | "server";
            /** @description Amount */
            value: number | null;
        };
        /** @description An event to store */
        TrackedEventCreate: {
            /**
             * Format: plain-text
             * @description Click it belongs to, clk_...
             */
            click_id?: string | null;
            /**
             * @description ISO 4217 code of the amount
             * @example EUR
             */
            currency?: string | null;
            /**
             * Format: plain-text
             * @description Installation it belongs to, as the app named it
             */
            install_id?: string | null;
            /**
             * Format: plain-text
             * @description What happened
             * @example purchase
             */
            name: string;
            /**
             * Format: date-time
             * @description When it happened; by default now
             */
            occurred_at?: string | null;
            /**
             * @description Custom properties: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters
             * @example {
             *       "sku": "A-1"
             *     }
             */
            properties?: {
                [key: string]: unknown;
            } | null;
            /** @description Amount */
            value?: number | null;
        };
        /** @description A URL template: one pattern for all items of a resource type */
        UrlTemplate: {
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
            allow_param_passthrough: boolean;
            /**
             * Format: date-time
             * @description When the template was made
             */
            created_at: string;
            /** @description Custom JSON delivered to the app; `{id}` and `{type}` are filled in */
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * @description In-app route that the app gets; `{id}` and `{type}` are filled in
             * @example /product/{id}
             */
            deep_link_path: string;
            /**
             * @description Id of the template
             * @example tpl_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /** @description How the id in a URL is validated after decoding */
            id_format: {
                /**
                 * @description A predefined format
                 * @enum {string}
                 */
                kind: "preset";
                /**
                 * @description numeric: 1 to 20 digits; alnum: 1 to 64 letters and digits; uuid: canonical form, either case; ulid: 26 Crockford characters, either case; base64url: 1 to 128 characters
                 * @enum {string}
                 */
                preset: "numeric" | "alnum" | "uuid" | "ulid" | "base64url";
            } | {
                /** @description Characters and ranges such as `a-z0-9-`. Put a literal `-` last. Not a regular expression */
                charset: string;
                /**
                 * @description A format that lists the allowed characters
                 * @enum {string}
                 */
                kind: "charset";
                /** @description Characters an id has at most */
                max_length: number;
                /** @description Characters an id has at least */
                min_length: number;
            };
            /**
             * @description URL pattern; it cannot change
             * @example /p/{id}
             */
            path_pattern: string;
            /** @description The template's own destinations. For a null, the environment's default is used */
            redirects: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme` */
                android: string | null;
                /** @description On a desktop: http or https */
                desktop: string | null;
                /** @description If no other destination applies: http or https */
                fallback: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme` */
                ios: string | null;
                /** @description In a browser: http or https */
                web: string | null;
            };
            /**
             * @description Key of the resource type
             * @example product
             */
            resource_type: string;
            /**
             * @description Id of the resource type; it cannot change
             * @example rt_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            resource_type_id: string;
            /**
             * @description The pattern of a disabled template stays taken; that of an archived one is free
             * @enum {string}
             */
            status: "active" | "disabled" | "archived";
            /**
             * Format: date-time
             * @description When the template was last changed
             */
            updated_at: string;
            /**
             * @description The pattern on the environment's shared host
             * @example https://go.example.com/p/{id}
             */
            url_example: string;
        };
        /** @description A URL template to make */
        UrlTemplateCreate: {
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app; by default false */
            allow_param_passthrough?: boolean | null;
            /**
             * @description Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters; `{id}` and `{type}` are filled in in its texts
             * @example {
             *       "product": "{id}"
             *     }
             */
            data?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: plain-text
             * @description In-app route; starts with `/`; `{id}` and `{type}` are filled in
             * @example /product/{id}
             */
            deep_link_path: string;
            /**
             * @description How the id in a URL is validated after decoding
             * @example {
             *       "kind": "preset",
             *       "preset": "numeric"
             *     }
             * @example {
             *       "kind": "charset",
             *       "charset": "a-z0-9-",
             *       "min_length": 1,
             *       "max_length": 64
             *     }
             */
            id_format: {
                /** @description Characters and ranges such as `a-z0-9-`. Put a literal `-` last. Not a regular expression */
                charset?: string | null;
                /**
                 * @description With `preset`, `preset` alone; with `charset`, `charset`, `min_length` and `max_length`
                 * @enum {string}
                 */
                kind: "preset" | "charset";
                /** @description Characters an id has at most */
                max_length?: number | null;
                /** @description Characters an id has at least */
                min_length?: number | null;
                /**
                 * @description numeric: 1 to 20 digits; alnum: 1 to 64 letters and digits; uuid: canonical form, either case; ulid: 26 Crockford characters, either case; base64url: 1 to 128 characters
                 * @enum {string|null}
                 */
                preset?: "numeric" | "alnum" | "uuid" | "ulid" | "base64url" | null;
            };
            /**
             * @description URL pattern: 2 to 8 segments of letters, digits, `-`, `.`, `_` and `~`, and exactly one `{id}`, which may have a literal prefix or suffix inside its segment
             * @example /p/{id}
             * @example /docs/v-{id}.html
             */
            path_pattern: string;
            /**
             * @description Where items lead; `{id}` and `{type}` are filled in. They are allowed in path, query and fragment, and in URLs with the scheme of an app anywhere after the scheme. The host of an http or https URL must not contain them. In a PATCH an absent platform keeps its value, null resets it to the environment's default, and null instead of the object resets all five.
             * @example {
             *       "web": "https://shop.example.com/{type}/{id}"
             *     }
             */
            redirects?: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                android?: string | null;
                /** @description On a desktop: http or https. At most 2,048 characters, where an escaped character counts once */
                desktop?: string | null;
                /** @description If no other destination applies: http or https. At most 2,048 characters, where an escaped character counts once */
                fallback?: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                ios?: string | null;
                /** @description In a browser: http or https. At most 2,048 characters, where an escaped character counts once */
                web?: string | null;
            } | null;
            /**
             * @description Id of an active resource type of the environment
             * @example rt_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            resource_type_id: string;
        };
        /** @description A page of URL templates, newest first */
        UrlTemplatePage: {
            /** @description The objects of the page */
            data: components["schemas"]["UrlTemplate"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Fields to change. An absent field keeps its value; null clears `data` and `redirects`. Pattern and resource type cannot change. */
        UrlTemplatePatch: {
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
            allow_param_passthrough?: boolean;
            /**
             * @description Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters; `{id}` and `{type}` are filled in in its texts
             * @example {
             *       "product": "{id}"
             *     }
             */
            data?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: plain-text
             * @description In-app route; starts with `/`; `{id}` and `{type}` are filled in
             * @example /product/{id}
             */
            deep_link_path?: string;
            /**
             * @description How the id in a URL is validated after decoding
             * @example {
             *       "kind": "preset",
             *       "preset": "numeric"
             *     }
             * @example {
             *       "kind": "charset",
             *       "charset": "a-z0-9-",
             *       "min_length": 1,
             *       "max_length": 64
             *     }
             */
            id_format?: {
                /** @description Characters and ranges such as `a-z0-9-`. Put a literal `-` last. Not a regular expression */
                charset?: string;
                /**
                 * @description With `preset`, `preset` alone; with `charset`, `charset`, `min_length` and `max_length`
                 * @enum {string}
                 */
                kind: "preset" | "charset";
                /** @description Characters an id has at most */
                max_length?: number;
                /** @description Characters an id has at least */
                min_length?: number;
                /**
                 * @description numeric: 1 to 20 digits; alnum: 1 to 64 letters and digits; uuid: canonical form, either case; ulid: 26 Crockford characters, either case; base64url: 1 to 128 characters
                 * @enum {string}
                 */
                preset?: "numeric" | "alnum" | "uuid" | "ulid" | "base64url";
            };
            /**
             * @description Where items lead; `{id}` and `{type}` are filled in. They are allowed in path, query and fragment, and in URLs with the scheme of an app anywhere after the scheme. The host of an http or https URL must not contain them. In a PATCH an absent platform keeps its value, null resets it to the environment's default, and null instead of the object resets all five.
             * @example {
             *       "web": "https://shop.example.com/{type}/{id}"
             *     }
             */
            redirects?: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                android?: string | null;
                /** @description On a desktop: http or https. At most 2,048 characters, where an escaped character counts once */
                desktop?: string | null;
                /** @description If no other destination applies: http or https. At most 2,048 characters, where an escaped character counts once */
                fallback?: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme`. At most 2,048 characters, where an escaped character counts once */
                ios?: string | null;
                /** @description In a browser: http or https. At most 2,048 characters, where an escaped character counts once */
                web?: string | null;
            } | null;
            /**
             * @description `archived` is final and frees the pattern
             * @enum {string}
             */
            status?: "active" | "disabled" | "archived";
        };
        /** @description A URL template as creation and change return it */
        UrlTemplateWithWarnings: {
            /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
            allow_param_passthrough: boolean;
            /**
             * Format: date-time
             * @description When the template was made
             */
            created_at: string;
            /** @description Custom JSON delivered to the app; `{id}` and `{type}` are filled in */
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * @description In-app route that the app gets; `{id}` and `{type}` are filled in
             * @example /product/{id}
             */
            deep_link_path: string;
            /**
             * @description Id of the template
             * @example tpl_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /** @description How the id in a URL is validated after decoding */
            id_format: {
                /**
                 * @description A predefined format
                 * @enum {string}
                 */
                kind: "preset";
                /**
                 * @description numeric: 1 to 20 digits; alnum: 1 to 64 letters and digits; uuid: canonical form, either case; ulid: 26 Crockford characters, either case; base64url: 1 to 128 characters
                 * @enum {string}
                 */
                preset: "numeric" | "alnum" | "uuid" | "ulid" | "base64url";
            } | {
                /** @description Characters and ranges such as `a-z0-9-`. Put a literal `-` last. Not a regular expression */
                charset: string;
                /**
                 * @description A format that lists the allowed characters
                 * @enum {string}
                 */
                kind: "charset";
                /** @description Characters an id has at most */
                max_length: number;
                /** @description Characters an id has at least */
                min_length: number;
            };
            /**
             * @description URL pattern; it cannot change
             * @example /p/{id}
             */
            path_pattern: string;
            /** @description The template's own destinations. For a null, the environment's default is used */
            redirects: {
                /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme` */
                android: string | null;
                /** @description On a desktop: http or https */
                desktop: string | null;
                /** @description If no other destination applies: http or https */
                fallback: string | null;
                /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme` */
                ios: string | null;
                /** @description In a browser: http or https */
                web: string | null;
            };
            /**
             * @description Key of the resource type
             * @example product
             */
            resource_type: string;
            /**
             * @description Id of the resource type; it cannot change
             * @example rt_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            resource_type_id: string;
            /**
             * @description The pattern of a disabled template stays taken; that of an archived one is free
             * @enum {string}
             */
            status: "active" | "disabled" | "archived";
            /**
             * Format: date-time
             * @description When the template was last changed
             */
            updated_at: string;
            /**
             * @description The pattern on the environment's shared host
             * @example https://go.example.com/p/{id}
             */
            url_example: string;
            /** @description Destinations that look suspicious */
            warnings: components["schemas"]["DestinationWarning"][];
        };
        /** @description A URL or path to try */
        UrlTest: {
            /**
             * @description A URL or a path, as a person would type it
             * @example https://go.example.com/p/42
             * @example /p/42?ref=mail
             */
            path: string;
            /**
             * @description Platform of the person that `trace` is for; by default `desktop`
             * @enum {string|null}
             */
            platform?: "ios" | "android" | "desktop" | "other" | null;
        };
        /** @description What visitors of a URL or path get */
        UrlTestResult: {
            /** @description Why the path did or did not resolve */
            detail: string;
            /** @description The id decoded from the URL; null if there is none or it cannot be decoded */
            id: string | null;
            /** @description What the template yields for the item; null unless it is a match */
            rendered: {
                /** @description Whether query parameters reach the destination and the app */
                allow_param_passthrough: boolean;
                /** @description Custom JSON delivered to the app; `{id}` and `{type}` are filled in */
                data: {
                    [key: string]: unknown;
                } | null;
                /** @description In-app route of the item */
                deep_link_path: string;
                /** @description The template's own destinations for the item */
                redirects: {
                    /** @description On Android: http, https or a custom scheme that an app names in `uri_scheme` */
                    android: string | null;
                    /** @description On a desktop: http or https */
                    desktop: string | null;
                    /** @description If no other destination applies: http or https */
                    fallback: string | null;
                    /** @description On iOS: http, https or a custom scheme that an app names in `uri_scheme` */
                    ios: string | null;
                    /** @description In a browser: http or https */
                    web: string | null;
                };
            } | null;
            /** @description Key of the resource type; null with `no_template` */
            resource_type: string | null;
            /**
             * @description Whether the path leads to an item
             * @enum {string}
             */
            result: "match" | "invalid_id" | "no_template";
            /** @description Id of the template; null with `no_template` */
            template_id: string | null;
            /** @description Every rule that applied, in order, with its inputs. These are the rules for real visitors, run by the same code. New rules may be added. */
            trace: {
                /** @description The result, for people */
                detail: string;
                /** @description The inputs of the rule */
                inputs: {
                    [key: string]: unknown;
                };
                /**
                 * @description Stable name of the rule
                 * @example destination
                 */
                rule: string;
            }[];
        };
        /** @description A query of clicks that was saved under a name */
        View: {
            /**
             * @description What clicks are grouped by; null for no groups
             * @enum {string|null}
             */
            breakdown: "link" | "campaign" | "resource_type" | "item" | "host" | "path" | "source" | "referrer_host" | "in_app_browser" | "platform" | "os" | "os_version" | "browser" | "browser_version" | "country" | "region" | "city" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "bot_reason" | "tag" | null;
            /** @description Whether to show the totals of the same number of days before */
            compare: boolean;
            /**
             * Format: date-time
             * @description When the view was saved
             */
            created_at: string;
            /**
             * @description Which clicks are counted, as in `GET /stats/clicks`: an empty text selects clicks without a value
             * @example {
             *       "country": "DE",
             *       "platform": "ios"
             *     }
             */
            filters: {
                /**
                 * Format: plain-text
                 * @description Why the click counts as a bot’s
                 */
                bot_reason?: string;
                /**
                 * Format: plain-text
                 * @description Name of the browser, such as `Safari`. For the browser of an app, the name of the app
                 */
                browser?: string;
                /**
                 * Format: plain-text
                 * @description First number of the browser’s version
                 */
                browser_version?: string;
                /**
                 * Format: plain-text
                 * @description Key of a campaign
                 */
                campaign?: string;
                /**
                 * Format: plain-text
                 * @description Name of the city as the proxy sends it, or its English name from the operator’s city database. Cities of different countries may share a name
                 */
                city?: string;
                /**
                 * Format: plain-text
                 * @description ISO 3166-1 alpha-2
                 */
                country?: string;
                /**
                 * Format: plain-text
                 * @description Host that was visited
                 */
                host?: string;
                /**
                 * Format: plain-text
                 * @description The app whose browser was used
                 */
                in_app_browser?: string;
                /**
                 * Format: plain-text
                 * @description Id of an item, as it appeared in the URL, whatever its type
                 */
                item?: string;
                /**
                 * Format: plain-text
                 * @description Id of a link
                 */
                link?: string;
                /**
                 * Format: plain-text
                 * @description Operating system, such as `iOS` or `Windows`
                 */
                os?: string;
                /**
                 * Format: plain-text
                 * @description Version of the operating system, such as `17.5.1`, where the browser tells it
                 */
                os_version?: string;
                /**
                 * Format: plain-text
                 * @description Path that was visited, without the leading slash: for a visit to an alias, the path of the alias
                 */
                path?: string;
                /**
                 * Format: plain-text
                 * @description What the visitor’s device runs: `ios`, `android`, `desktop`, `other`
                 */
                platform?: string;
                /**
                 * Format: plain-text
                 * @description Host of the page that led to the link
                 */
                referrer_host?: string;
                /**
                 * Format: plain-text
                 * @description ISO 3166-2, such as `DE-BE`. Known if the proxy sends it or the operator has a city database
                 */
                region?: string;
                /**
                 * Format: plain-text
                 * @description Key of a resource type
                 */
                resource_type?: string;
                /**
                 * Format: plain-text
                 * @description `qr` for a visitor who scanned the QR code of the link, else `link`
                 */
                source?: string;
                /**
                 * Format: plain-text
                 * @description Name of a tag that links have now; empty for links without a tag, and for items
                 */
                tag?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_campaign?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_content?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_medium?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_source?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_term?: string;
            };
            /**
             * Format: date
             * @description First day; null if there is a `range`
             * @example 2026-11-20
             */
            from: string | null;
            /**
             * @description Id of the view
             * @example view_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * @description What one point of the chart covers; null to choose it by the number of days, not counting those in the future
             * @enum {string|null}
             */
            interval: "hour" | "day" | "week" | "month" | null;
            /**
             * @description What the chart shows and the breakdown is sorted by: clicks by people, unique visitors, or all clicks
             * @enum {string}
             */
            measure: "human" | "unique" | "all";
            /**
             * @description Name of the view, unique in the environment
             * @example Spring in Germany
             */
            name: string;
            /**
             * @description Days that move with the calendar; null if `from` and `to` name the days
             * @enum {string|null}
             */
            range: "today" | "last_7_days" | "last_30_days" | "last_90_days" | "this_month" | "last_month" | null;
            /**
             * Format: date
             * @description Last day; null if there is a `range`
             * @example 2026-11-20
             */
            to: string | null;
            /**
             * Format: date-time
             * @description When the view was last changed
             */
            updated_at: string;
        };
        /** @description A view to save */
        ViewCreate: {
            /**
             * @description What clicks are grouped by; null for no groups
             * @enum {string|null}
             */
            breakdown?: "link" | "campaign" | "resource_type" | "item" | "host" | "path" | "source" | "referrer_host" | "in_app_browser" | "platform" | "os" | "os_version" | "browser" | "browser_version" | "country" | "region" | "city" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "bot_reason" | "tag" | null;
            /** @description Whether to show the totals of the same number of days before */
            compare?: boolean | null;
            /**
             * @description Which clicks are counted, as in `GET /stats/clicks`: an empty text selects clicks without a value. A PATCH replaces all of them
             * @example {
             *       "country": "DE",
             *       "platform": "ios"
             *     }
             */
            filters?: {
                /**
                 * Format: plain-text
                 * @description Why the click counts as a bot’s
                 */
                bot_reason?: string | null;
                /**
                 * Format: plain-text
                 * @description Name of the browser, such as `Safari`. For the browser of an app, the name of the app
                 */
                browser?: string | null;
                /**
                 * Format: plain-text
                 * @description First number of the browser’s version
                 */
                browser_version?: string | null;
                /**
                 * Format: plain-text
                 * @description Key of a campaign
                 */
                campaign?: string | null;
                /**
                 * Format: plain-text
                 * @description Name of the city as the proxy sends it, or its English name from the operator’s city database. Cities of different countries may share a name
                 */
                city?: string | null;
                /**
                 * Format: plain-text
                 * @description ISO 3166-1 alpha-2
                 */
                country?: string | null;
                /**
                 * Format: plain-text
                 * @description Host that was visited
                 */
                host?: string | null;
                /**
                 * Format: plain-text
                 * @description The app whose browser was used
                 */
                in_app_browser?: string | null;
                /**
                 * Format: plain-text
                 * @description Id of an item, as it appeared in the URL, whatever its type
                 */
                item?: string | null;
                /**
                 * Format: plain-text
                 * @description Id of a link
                 */
                link?: string | null;
                /**
                 * Format: plain-text
                 * @description Operating system, such as `iOS` or `Windows`
                 */
                os?: string | null;
                /**
                 * Format: plain-text
                 * @description Version of the operating system, such as `17.5.1`, where the browser tells it
                 */
                os_version?: string | null;
                /**
                 * Format: plain-text
                 * @description Path that was visited, without the leading slash: for a visit to an alias, the path of the alias
                 */
                path?: string | null;
                /**
                 * Format: plain-text
                 * @description What the visitor’s device runs: `ios`, `android`, `desktop`, `other`
                 */
                platform?: string | null;
                /**
                 * Format: plain-text
                 * @description Host of the page that led to the link
                 */
                referrer_host?: string | null;
                /**
                 * Format: plain-text
                 * @description ISO 3166-2, such as `DE-BE`. Known if the proxy sends it or the operator has a city database
                 */
                region?: string | null;
                /**
                 * Format: plain-text
                 * @description Key of a resource type
                 */
                resource_type?: string | null;
                /**
                 * Format: plain-text
                 * @description `qr` for a visitor who scanned the QR code of the link, else `link`
                 */
                source?: string | null;
                /**
                 * Format: plain-text
                 * @description Name of a tag that links have now; empty for links without a tag, and for items
                 */
                tag?: string | null;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_campaign?: string | null;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_content?: string | null;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_medium?: string | null;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_source?: string | null;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_term?: string | null;
            } | null;
            /**
             * Format: date
             * @description First day, together with `to`. Both replace `range`. Until it comes, a reader of the public link gets 409
             * @example 2026-11-20
             */
            from?: string | null;
            /**
             * @description What one point of the chart covers; null to choose it by the number of days, not counting those in the future
             * @enum {string|null}
             */
            interval?: "hour" | "day" | "week" | "month" | null;
            /**
             * @description What the chart shows and the breakdown is sorted by: clicks by people, unique visitors, or all clicks
             * @enum {string|null}
             */
            measure?: "human" | "unique" | "all" | null;
            /**
             * Format: plain-text
             * @description Name of the view, unique in the environment
             */
            name: string;
            /**
             * @description Days that move with the calendar; null if `from` and `to` name the days. By default `last_30_days`. It replaces `from` and `to`
             * @enum {string|null}
             */
            range?: "today" | "last_7_days" | "last_30_days" | "last_90_days" | "this_month" | "last_month" | null;
            /**
             * Format: date
             * @description Last day, together with `from`. If it is in the future, the view shows the days until today
             * @example 2026-11-20
             */
            to?: string | null;
        };
        /** @description A page of views, newest first */
        ViewPage: {
            /** @description The objects of the page */
            data: components["schemas"]["View"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Fields to change. An absent field keeps its value, null clears it. */
        ViewPatch: {
            /**
             * @description What clicks are grouped by; null for no groups
             * @enum {string|null}
             */
            breakdown?: "link" | "campaign" | "resource_type" | "item" | "host" | "path" | "source" | "referrer_host" | "in_app_browser" | "platform" | "os" | "os_version" | "browser" | "browser_version" | "country" | "region" | "city" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "bot_reason" | "tag" | null;
            /** @description Whether to show the totals of the same number of days before */
            compare?: boolean;
            /**
             * @description Which clicks are counted, as in `GET /stats/clicks`: an empty text selects clicks without a value. A PATCH replaces all of them
             * @example {
             *       "country": "DE",
             *       "platform": "ios"
             *     }
             */
            filters?: {
                /**
                 * Format: plain-text
                 * @description Why the click counts as a bot’s
                 */
                bot_reason?: string;
                /**
                 * Format: plain-text
                 * @description Name of the browser, such as `Safari`. For the browser of an app, the name of the app
                 */
                browser?: string;
                /**
                 * Format: plain-text
                 * @description First number of the browser’s version
                 */
                browser_version?: string;
                /**
                 * Format: plain-text
                 * @description Key of a campaign
                 */
                campaign?: string;
                /**
                 * Format: plain-text
                 * @description Name of the city as the proxy sends it, or its English name from the operator’s city database. Cities of different countries may share a name
                 */
                city?: string;
                /**
                 * Format: plain-text
                 * @description ISO 3166-1 alpha-2
                 */
                country?: string;
                /**
                 * Format: plain-text
                 * @description Host that was visited
                 */
                host?: string;
                /**
                 * Format: plain-text
                 * @description The app whose browser was used
                 */
                in_app_browser?: string;
                /**
                 * Format: plain-text
                 * @description Id of an item, as it appeared in the URL, whatever its type
                 */
                item?: string;
                /**
                 * Format: plain-text
                 * @description Id of a link
                 */
                link?: string;
                /**
                 * Format: plain-text
                 * @description Operating system, such as `iOS` or `Windows`
                 */
                os?: string;
                /**
                 * Format: plain-text
                 * @description Version of the operating system, such as `17.5.1`, where the browser tells it
                 */
                os_version?: string;
                /**
                 * Format: plain-text
                 * @description Path that was visited, without the leading slash: for a visit to an alias, the path of the alias
                 */
                path?: string;
                /**
                 * Format: plain-text
                 * @description What the visitor’s device runs: `ios`, `android`, `desktop`, `other`
                 */
                platform?: string;
                /**
                 * Format: plain-text
                 * @description Host of the page that led to the link
                 */
                referrer_host?: string;
                /**
                 * Format: plain-text
                 * @description ISO 3166-2, such as `DE-BE`. Known if the proxy sends it or the operator has a city database
                 */
                region?: string;
                /**
                 * Format: plain-text
                 * @description Key of a resource type
                 */
                resource_type?: string;
                /**
                 * Format: plain-text
                 * @description `qr` for a visitor who scanned the QR code of the link, else `link`
                 */
                source?: string;
                /**
                 * Format: plain-text
                 * @description Name of a tag that links have now; empty for links without a tag, and for items
                 */
                tag?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_campaign?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_content?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_medium?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_source?: string;
                /**
                 * Format: plain-text
                 * @description UTM field of the link or its campaign
                 */
                utm_term?: string;
            } | null;
            /**
             * Format: date
             * @description First day, together with `to`. Both replace `range`. Until it comes, a reader of the public link gets 409
             * @example 2026-11-20
             */
            from?: string | null;
            /**
             * @description What one point of the chart covers; null to choose it by the number of days, not counting those in the future
             * @enum {string|null}
             */
            interval?: "hour" | "day" | "week" | "month" | null;
            /**
             * @description What the chart shows and the breakdown is sorted by: clicks by people, unique visitors, or all clicks
             * @enum {string}
             */
            measure?: "human" | "unique" | "all";
            /**
             * Format: plain-text
             * @description Name of the view, unique in the environment
             */
            name?: string;
            /**
             * @description Days that move with the calendar; null if `from` and `to` name the days. By default `last_30_days`. It replaces `from` and `to`
             * @enum {string|null}
             */
            range?: "today" | "last_7_days" | "last_30_days" | "last_90_days" | "this_month" | "last_month" | null;
            /**
             * Format: date
             * @description Last day, together with `from`. If it is in the future, the view shows the days until today
             * @example 2026-11-20
             */
            to?: string | null;
        };
        /** @description The public link of a view */
        ViewShare: {
            /**
             * Format: date-time
             * @description When the view was shared
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the link stops working (404)
             */
            expires_at: string | null;
            /** @description Whether readers are asked for a password */
            has_password: boolean;
            /**
             * @description Where people open the view, relative to the address of the API: `new URL(path, "https://links.example.com/v1")`
             * @example dashboard/#/shared/AYxTmfSr6Zr5WXEq0xHBeA
             */
            path: string;
            /**
             * @description `expired` follows from `expires_at`
             * @enum {string}
             */
            status: "active" | "expired";
            /** @description Secret part of the link. Anybody who has it can see the view */
            token: string;
            /**
             * Format: date-time
             * @description When the public link was last changed
             */
            updated_at: string;
        };
        /** @description A webhook endpoint, without its secret */
        Webhook: {
            /**
             * Format: date-time
             * @description When the endpoint was made
             */
            created_at: string;
            /** @description For people */
            description: string | null;
            /**
             * Format: date-time
             * @description When it was disabled
             */
            disabled_at: string | null;
            /** @description Why it was disabled */
            disabled_reason: string | null;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Event types the endpoint is sent */
            events: ("click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed")[];
            /** @description Number of `click.created` events that were never sent to the endpoint because it could not keep up: the queue was full (100,000 events, unless the operator set another number), or they had waited for 24 hours. Events of other types are never dropped. */
            events_dropped: number;
            /**
             * Format: date-time
             * @description When events were last dropped
             */
            events_dropped_at: string | null;
            /**
             * Format: date-time
             * @description Start of the current failure streak
             */
            failing_since: string | null;
            /**
             * @description Id of the endpoint
             * @example wh_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * Format: date-time
             * @description While set, deliveries carry signatures for both the old and the new secret
             */
            previous_secret_expires_at: string | null;
            /**
             * @description `auto_disabled` after three days without a successful delivery
             * @enum {string}
             */
            status: "active" | "disabled" | "auto_disabled";
            /**
             * Format: date-time
             * @description When the endpoint was last changed
             */
            updated_at: string;
            /**
             * Format: uri
             * @description Where events are sent
             */
            url: string;
        };
        /** @description A webhook endpoint to make */
        WebhookCreate: {
            /**
             * Format: plain-text
             * @description For people
             */
            description?: string | null;
            /**
             * @description Event types to be sent; `click.created` is high volume
             * @example [
             *       "link.created",
             *       "install.attributed"
             *     ]
             */
            events: ("click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed")[];
            /**
             * @description https URL on a public host name; stored in ASCII. At most 2,048 characters, where an escaped character counts once
             * @example https://hooks.example.com/links
             */
            url: string;
        };
        /** @description A page of webhook endpoints, newest first */
        WebhookPage: {
            /** @description The objects of the page */
            data: components["schemas"]["Webhook"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
        };
        /** @description Fields to change. An absent field keeps its value. */
        WebhookPatch: {
            /**
             * Format: plain-text
             * @description For people
             */
            description?: string | null;
            /**
             * @description Event types to be sent; `click.created` is high volume
             * @example [
             *       "link.created",
             *       "install.attributed"
             *     ]
             */
            events?: ("click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed")[];
            /**
             * @description Disable the endpoint, or enable it again, which clears its failure streak
             * @enum {string}
             */
            status?: "active" | "disabled";
            /**
             * @description https URL on a public host name; stored in ASCII. At most 2,048 characters, where an escaped character counts once
             * @example https://hooks.example.com/links
             */
            url?: string;
        };
        /** @description A webhook endpoint with its signing secret */
        WebhookWithSecret: {
            /**
             * Format: date-time
             * @description When the endpoint was made
             */
            created_at: string;
            /** @description For people */
            description: string | null;
            /**
             * Format: date-time
             * @description When it was disabled
             */
            disabled_at: string | null;
            /** @description Why it was disabled */
            disabled_reason: string | null;
            /**
             * @description Environment the object belongs to
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Event types the endpoint is sent */
            events: ("click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed")[];
            /** @description Number of `click.created` events that were never sent to the endpoint because it could not keep up: the queue was full (100,000 events, unless the operator set another number), or they had waited for 24 hours. Events of other types are never dropped. */
            events_dropped: number;
            /**
             * Format: date-time
             * @description When events were last dropped
             */
            events_dropped_at: string | null;
            /**
             * Format: date-time
             * @description Start of the current failure streak
             */
            failing_since: string | null;
            /**
             * @description Id of the endpoint
             * @example wh_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            id: string;
            /**
             * Format: date-time
             * @description While set, deliveries carry signatures for both the old and the new secret
             */
            previous_secret_expires_at: string | null;
            /** @description Signing secret; shown here once and never again */
            secret: string;
            /**
             * @description `auto_disabled` after three days without a successful delivery
             * @enum {string}
             */
            status: "active" | "disabled" | "auto_disabled";
            /**
             * Format: date-time
             * @description When the endpoint was last changed
             */
            updated_at: string;
            /**
             * Format: uri
             * @description Where events are sent
             */
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCampaigns: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Only the campaign with exactly this key */
                key?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only campaigns whose key or name contains this text, in any case */
                search?: string;
                /** @description Only campaigns in this state */
                status?: "active" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            /** @description The campaign */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign */
                campaign: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the campaign */
                campaign: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignPatch"];
            };
        };
        responses: {
            /** @description The campaign after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    getCampaignStats: {
        parameters: {
            query?: {
                /** @description Days of the project that are counted, today included */
                range?: "7d" | "30d";
            };
            header?: never;
            path: {
                /** @description Id of the campaign */
                campaign: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Clicks by day, platform, country, referrer and link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
                         */
                        as_of: string;
                        /**
                         * @description Id of the campaign
                         * @example cmp_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        campaign: string;
                        /** @description The 10 countries with most clicks by people */
                        countries: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description ISO 3166-1 alpha-2; null if it is not known */
                            country: string | null;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * Format: date
                         * @description First day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        from: string;
                        /**
                         * @description Its key
                         * @example spring
                         */
                        key: string;
                        /** @description By platform, most clicks by people first */
                        platforms: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * @description What the visitor’s device runs
                             * @enum {string}
                             */
                            platform: "ios" | "android" | "desktop" | "other";
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description The range asked for
                         * @enum {string}
                         */
                        range: "7d" | "30d";
                        /** @description The 10 referrers with most clicks by people */
                        referrers: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Host of the page that led to the link; null if there was none */
                            referrer_host: string | null;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description Every day of the range, oldest first; a day without clicks has zeros */
                        series: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /**
                             * Format: date
                             * @description Day of the project
                             * @example 2026-11-20
                             */
                            date: string;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description Time zone of the project
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        /**
                         * Format: date
                         * @description Today, in the project’s time zone
                         * @example 2026-11-20
                         */
                        to: string;
                        /** @description The 10 links with most clicks by people */
                        top_links: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * @description Id of the link
                             * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                             */
                            link: string;
                            /** @description Its path; null if the link was deleted for good */
                            path: string | null;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description Over the whole range: the sum of its days */
                        totals: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        };
                    };
                };
            };
        };
    };
    streamClicks: {
        parameters: {
            query?: {
                /** @description Id of the last event that the client received, for clients that cannot set the header `Last-Event-ID`. The header takes precedence */
                last_event_id?: string;
            };
            header?: {
                /** @description Id of the last event that the client received. The stream continues after it */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Clicks as they are stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only domains whose hostname contains this text, in any case */
                search?: string;
                /** @description Only domains in this state */
                status?: "pending" | "verified" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of domains, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainPage"];
                };
            };
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainCreate"];
            };
        };
        responses: {
            /** @description The domain, with the DNS record to set */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the domain */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the domain */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the domain */
                domain: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether a path that leads nowhere is tried again in lower case, so that `/Spring` leads to `/spring`. Existing links do not collide when you switch it on, because the exact path is always tried first: the links `/Spring` and `/spring` keep their own visitors, and `/SPRING`, which led nowhere before, leads to `/spring`. Only links and aliases that are all lower case get visitors of other spellings */
                    case_insensitive?: boolean;
                    /**
                     * @description Default style of QR codes of links that are shown on this host. A request for a QR code can override it. It replaces the whole style; null clears it.
                     * @example {
                     *       "foreground": "#0d3b66",
                     *       "dots": "rounded",
                     *       "frame_text": "Scan me"
                     *     }
                     */
                    qr_style?: {
                        /** @description Colour of the light parts */
                        background?: string;
                        /**
                         * @description Form of the dark parts
                         * @enum {string}
                         */
                        dots?: "square" | "rounded" | "dots";
                        /**
                         * @description How much of the symbol may be lost: 7, 15, 25 or 30 %. By default M, with a logo H
                         * @enum {string}
                         */
                        error_correction?: "L" | "M" | "Q" | "H";
                        /** @description Colour of the dark parts, such as 0d3b66, with or without a #. Scanners need it to be darker than the background */
                        foreground?: string;
                        /**
                         * Format: plain-text
                         * @description Draws a frame around the code with this line below it, in Latin, Greek or Cyrillic letters. The image is then higher than wide
                         */
                        frame_text?: string;
                        /** @description Width of the light margin, in modules. ISO/IEC 18004 requires 4 */
                        margin?: number;
                    } | null;
                    /**
                     * @description Where to send visitors whose URL leads nowhere: http or https. It may be a link on the host itself. If that link does not exist, visitors get the page of the service instead of a redirect loop. An absent member keeps its value, null clears it, and null instead of the object clears all three.
                     * @example {
                     *       "root": "https://example.com/",
                     *       "not_found": "https://example.com/404"
                     *     }
                     */
                    redirects?: {
                        /** @description For a link that has expired. At most 2,048 characters, where an escaped character counts once */
                        expired?: string | null;
                        /** @description For a path that leads nowhere, and for a disabled link. At most 2,048 characters, where an escaped character counts once */
                        not_found?: string | null;
                        /** @description For the root of the host, `/`. At most 2,048 characters, where an escaped character counts once */
                        root?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The domain after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    getDomainCasePairs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the domain */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first hundred pairs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether there are more than 100 */
                        more: boolean;
                        /** @description In the order of the addresses in lower case */
                        pairs: {
                            /**
                             * @description The same address in lower case. It gets visitors of every other spelling, such as `/SPRING`
                             * @example /spring
                             */
                            lower_case_path: string;
                            /**
                             * @description An address with capital letters
                             * @example /Spring
                             */
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getDomainConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the domain */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records to set, and what was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The certificate that the host shows */
                        certificate: {
                            /**
                             * Format: date-time
                             * @description When it expires
                             */
                            expires_at: string;
                            /**
                             * @description Who signed it
                             * @example Let's Encrypt
                             */
                            issuer: string | null;
                            /**
                             * @description `expired`: no longer or not yet valid; `other_host`: it is for other hosts; `untrusted`: it is not signed by an authority that browsers trust
                             * @enum {string}
                             */
                            status: "valid" | "expired" | "other_host" | "untrusted";
                        } | null;
                        /** @description Where the host leads */
                        dns: {
                            /** @description Addresses of the host */
                            addresses: string[];
                            /** @description Target of the CNAME record of the host */
                            cname: string | null;
                            /**
                             * @description `elsewhere` is fine if a proxy is in front of the service and `route` is `correct`; `no_answer`: DNS did not respond
                             * @enum {string}
                             */
                            status: "correct" | "elsewhere" | "missing" | "no_answer";
                        };
                        /** @description Records that point the host to this service: the CNAME, or the A and AAAA records if the host is the apex of its zone, where no CNAME is allowed. The addresses are those that the link host has now. */
                        dns_records: {
                            /**
                             * @description Name of the record
                             * @example links.example.com
                             */
                            name: string;
                            /**
                             * @description Type of the record
                             * @enum {string}
                             */
                            type: "CNAME" | "A" | "AAAA";
                            /**
                             * @description Value of the record
                             * @example go.example.net
                             */
                            value: string;
                        }[];
                        /** @description Which server responds on the host */
                        route: {
                            /**
                             * @description Why the host could not be reached: it has no address or no public one, the connection failed, the response was not HTTP, or there was no response within 5 seconds
                             * @enum {string|null}
                             */
                            error: "no_address" | "blocked_address" | "connection_failed" | "timeout" | null;
                            /**
                             * @description `correct`: this service responded on the host; `other_server`: another server responded
                             * @enum {string}
                             */
                            status: "correct" | "other_server" | "unreachable";
                        };
                    };
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the domain */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain after the check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    getEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The environment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
        };
    };
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnvironmentPatch"];
            };
        };
        responses: {
            /** @description The environment after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Start of the window; by default 7 days before `to` */
                from?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description End of the window; by default now; at most 30 days after `from` */
                to?: string;
                /** @description Only events of this type */
                type?: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The objects of the page */
                        data: {
                            /**
                             * Format: date-time
                             * @description When the event was made
                             */
                            created_at: string;
                            /** @description What the event is about, as its deliveries carry it: the `webhooks` section has the schema of each type's `data` */
                            data: {
                                [key: string]: unknown;
                            };
                            /**
                             * @description Environment the object belongs to
                             * @enum {string}
                             */
                            environment: "test" | "live";
                            /**
                             * @description Id of the event; the same in every delivery of it
                             * @example evt_01jd4v6xq8e5s0m3k7n9p2r4tw
                             */
                            id: string;
                            /** @description Whether it is a sample and nothing happened */
                            test: boolean;
                            /**
                             * @description Type of the event
                             * @enum {string}
                             */
                            type: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed";
                        }[];
                        /** @description Pass it as `cursor` for the next page; null on the last one */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    trackEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackedEventCreate"];
            };
        };
        responses: {
            /** @description The event as it was stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackedEvent"];
                };
            };
        };
    };
    triggerEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Type of the sample
                     * @enum {string}
                     */
                    type: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed";
                };
            };
        };
        responses: {
            /** @description The event and its queued deliveries */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the event was made
                         */
                        created_at: string;
                        /** @description What the event is about, as its deliveries carry it: the `webhooks` section has the schema of each type's `data` */
                        data: {
                            [key: string]: unknown;
                        };
                        /** @description One for each endpoint that is subscribed to the type */
                        deliveries: components["schemas"]["Delivery"][];
                        /**
                         * @description Environment the object belongs to
                         * @enum {string}
                         */
                        environment: "test" | "live";
                        /**
                         * @description Id of the event; the same in every delivery of it
                         * @example evt_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        id: string;
                        /** @description Whether it is a sample and nothing happened */
                        test: boolean;
                        /**
                         * @description Type of the event
                         * @enum {string}
                         */
                        type: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed";
                    };
                };
            };
        };
    };
    exportCampaigns: {
        parameters: {
            query?: {
                /** @description In CSV, a text that a spreadsheet would read as a formula is preceded by an apostrophe. In NDJSON texts are unchanged */
                format?: "csv" | "ndjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    "text/csv; charset=utf-8": unknown;
                };
            };
        };
    };
    exportClicks: {
        parameters: {
            query?: {
                /** @description In CSV, a text that a spreadsheet would read as a formula is preceded by an apostrophe. In NDJSON texts are unchanged */
                format?: "csv" | "ndjson";
                /** @description First day, in the project’s time zone; by default six days before `to` */
                from?: string;
                /** @description Last day, inclusive; today if it is absent or in the future */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    "text/csv; charset=utf-8": unknown;
                };
            };
        };
    };
    exportLinks: {
        parameters: {
            query?: {
                /** @description `true`: only archived links; `false`: only links that are not archived; absent: both */
                archived?: boolean;
                /** @description Only links of the campaign with this key */
                campaign?: string;
                /** @description Only links made at this time or later */
                created_from?: string;
                /** @description Only links made at this time or earlier */
                created_to?: string;
                /** @description In CSV, a text that a spreadsheet would read as a formula is preceded by an apostrophe. In NDJSON texts are unchanged */
                format?: "csv" | "ndjson";
                /** @description Only links with these ids, separated by commas: 100 at most */
                ids?: string;
                /** @description Only links whose path begins with this */
                path?: string;
                /** @description Only links that contain this text in the path, the path of an alias, the title, a destination (also one by country) or the name of a tag. Case does not matter, nor whether the text is escaped as in a URL. Short texts find less: only links whose path or title begins with the text, and links with a tag that contains it. A text is short if it has one or two characters, or if it has neither three letters or digits in a row nor two next to a blank or sign. */
                search?: string;
                /** @description Only links in this state */
                status?: "active" | "scheduled" | "disabled" | "blocked" | "expired";
                /** @description Only links with the tag of this name */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    "text/csv; charset=utf-8": unknown;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every part of the service, and the webhook queue */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the state was read
                         */
                        checked_at: string;
                        /** @description All parts of the service, always in this order */
                        parts: {
                            /** @description Whether it works on every host */
                            ok: boolean;
                            /**
                             * @description `redirects`: link hosts answer. `configuration`: changes reach the link hosts, and none takes longer than 10 seconds. `clicks`: clicks are stored, and counted within a minute. `webhooks`: deliveries go out. `previews`: preview cards are built and cached. `api`: the API responds, and tasks with a due time run, such as the end of a campaign
                             * @enum {string}
                             */
                            part: "redirects" | "configuration" | "clicks" | "webhooks" | "previews" | "api";
                            /**
                             * Format: date-time
                             * @description Since when it has not worked; null if it works, or if the time is not known
                             */
                            since: string | null;
                        }[];
                        /**
                         * @description `ok`: every part works
                         * @enum {string}
                         */
                        status: "ok" | "degraded";
                        /** @description Counted up to 1000 per endpoint */
                        webhook_queue: {
                            /** @description Deliveries of this environment that are to be sent now or are under way */
                            due: number;
                            /**
                             * Format: date-time
                             * @description Since when the oldest of them has been due; null if none is due
                             */
                            due_since: string | null;
                            /** @description Deliveries of this environment that wait for a later attempt */
                            scheduled: number;
                        };
                    };
                };
            };
        };
    };
    importLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description For `dub`: keys that differ in case only are different links, a setting that Dub has for domains. Otherwise the path of a link is its key in lower case, and the key as Dub shows it becomes an alias. (default: `false`) */
                    case_sensitive?: boolean | null;
                    /** @description Names of the columns, as in the header of the file. Required unless `source` is `ndjson`. */
                    columns?: string[] | null;
                    /** @description Hosts that replace those of the other service. A host that is not listed stays the same if it is a verified domain of the environment; any other host is replaced by the link host. */
                    domains?: {
                        /** @description Host of the other service, such as `bit.ly` */
                        from: string;
                        /** @description The link host of the environment, or a verified domain of it */
                        to: string;
                    }[] | null;
                    /** @description Return what would happen to each row, and create no link. (default: `false`) */
                    dry_run?: boolean | null;
                    /** @description Number of the first of these rows in the file, counted from 1 without the header. The path of a row without an address is derived from its number and content, so that a later call finds the link again. (default: `1`) */
                    first_row?: number | null;
                    /**
                     * @description What to do with a link whose path another link has: fail, skip it, or give it an alias. The alias is on the host that replaces the old host by `domains`, or on the old host itself if that is a verified domain. No alias is possible if the other link is shown on that host (default: `"fail"`)
                     * @enum {string|null}
                     */
                    on_collision?: "fail" | "skip" | "alias" | null;
                    /** @description Rows of the file: lists of cells in the order of `columns`, or, if `source` is `ndjson`, objects or their lines as text. An integer that cannot be represented exactly is not imported. */
                    rows: unknown[];
                    /**
                     * @description Where the file comes from: an export of Firebase Dynamic Links, Bitly or Dub, or a file with the columns (`csv`) or the members (`ndjson`) of `GET /exports/links`
                     * @enum {string}
                     */
                    source: "firebase" | "bitly" | "dub" | "csv" | "ndjson";
                };
            };
        };
        responses: {
            /** @description A result for each row */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Links that were made and are found by an alias */
                        aliased: number;
                        /** @description Links that were made */
                        created: number;
                        /** @description Links that an earlier call has made */
                        exists: number;
                        /** @description Rows that were not imported */
                        failed: number;
                        /** @description One for each row, in the order of the request */
                        results: {
                            /** @description Hosts in the row, in lower case, each once; empty if there are none */
                            hosts: string[];
                            /** @description Name of the link at the source, such as `bit.ly/abc`; `number 7` if the row has no address */
                            id: string;
                            /** @description Fields and columns that were not imported */
                            lost: string[];
                            /**
                             * @description `aliased`: its path was taken, and an alias leads to it. `exists`: an earlier call has made it. `skipped`: its path was taken
                             * @enum {string}
                             */
                            outcome: "created" | "aliased" | "exists" | "skipped" | "failed";
                            /** @description Why it was not made */
                            reason: string | null;
                            /** @description Number of the row in the file */
                            row: number;
                            /** @description Short URL of the link; null if there is none */
                            url: string | null;
                        }[];
                        /** @description Links whose path was taken */
                        skipped: number;
                        /** @description Links that were imported without some of their fields */
                        with_losses: number;
                    };
                };
            };
        };
    };
    listInstalls: {
        parameters: {
            query?: {
                /** @description Only installations whose first open was matched, or was not */
                attribution?: "attributed" | "organic";
                /** @description Only installations that this campaign has led to, by its key */
                campaign?: string;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only installations that this link has led to, by its id */
                link?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of installations, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The objects of the page */
                        data: components["schemas"]["Install"][];
                        /** @description Pass it as `cursor` for the next page; null on the last one */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getInstall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id that the app gave the installation, percent-encoded */
                install: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The installation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Install"];
                };
            };
        };
    };
    deleteInstall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id that the app gave the installation, percent-encoded */
                install: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Erased */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key of the call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only keys in this state; without it, all of them */
                status?: "active" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description Whether to list archived links instead of those that are not archived */
                archived?: boolean;
                /** @description Only links of the campaign with this key */
                campaign?: string;
                /** @description Only links made at this time or later */
                created_from?: string;
                /** @description Only links made at this time or earlier */
                created_to?: string;
                /** @description `next_cursor` of the previous page, with the same `sort` and `order`, and either both with `status=deleted` or both without it */
                cursor?: string;
                /** @description What to add to each link: its total clicks, or also its clicks of each day */
                include?: "clicks" | "daily_clicks";
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description By default `asc` for `name`, and `desc` for everything else */
                order?: "asc" | "desc";
                /** @description Only links whose path begins with this */
                path?: string;
                /** @description Only links that contain this text in the path, the path of an alias, the title, a destination (also one by country) or the name of a tag. Case does not matter, nor whether the text is escaped as in a URL. Short texts find less: only links whose path or title begins with the text, and links with a tag that contains it. A text is short if it has one or two characters, or if it has neither three letters or digits in a row nor two next to a blank or sign. */
                search?: string;
                /** @description What links are sorted by. `name`: the title, or else the path. `clicks`: Clicks by people over the last 30 days of the project, today included: the same as `totals.human` of the range `30d` in the statistics of the link. It is summed up in the background and is some seconds old, or minutes if hundreds of thousands of links are clicked on all the time. By default the newest come first. */
                sort?: "created_at" | "name" | "clicks";
                /** @description Only links in this state. `deleted`: links that `POST /links/{link}/restore` can restore, including archived ones. It cannot be combined with `archived` or `sort=clicks` */
                status?: "active" | "scheduled" | "disabled" | "blocked" | "expired" | "deleted";
                /** @description Only links with the tag of this name */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkCreate"];
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkPatch"];
            };
        };
        responses: {
            /** @description The link after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    getLinkQr: {
        parameters: {
            query?: {
                /** @description Colour of the light parts */
                background?: string;
                /** @description Form of the dark parts */
                dots?: "square" | "rounded" | "dots";
                /** @description How much of the symbol may be lost: 7, 15, 25 or 30 %. By default M, with a logo H */
                error_correction?: "L" | "M" | "Q" | "H";
                /** @description Colour of the dark parts, such as 0d3b66, with or without a #. Scanners need it to be darker than the background */
                foreground?: string;
                /** @description Form of the image */
                format?: "svg" | "png" | "pdf";
                /** @description Draws a frame around the code with this line below it, in Latin, Greek or Cyrillic letters. The image is then higher than wide */
                frame_text?: string;
                /** @description Width of the light margin, in modules. ISO/IEC 18004 requires 4 */
                margin?: number;
                /** @description Width in pixels, including the margin. Without a frame the height is the same. A PDF has 96 pixels per inch */
                size?: number;
            };
            header?: never;
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "image/png": unknown;
                    "image/svg+xml": unknown;
                };
            };
        };
    };
    drawLinkQr: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. It is accepted and ignored: the operation has no effect, and its response is created again each time. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Colour of the light parts (default: `"#ffffff"`) */
                    background?: string | null;
                    /**
                     * @description Form of the dark parts (default: `"square"`)
                     * @enum {string|null}
                     */
                    dots?: "square" | "rounded" | "dots" | null;
                    /**
                     * @description How much of the symbol may be lost: 7, 15, 25 or 30 %. By default M, with a logo H
                     * @enum {string|null}
                     */
                    error_correction?: "L" | "M" | "Q" | "H" | null;
                    /** @description Colour of the dark parts, such as 0d3b66, with or without a #. Scanners need it to be darker than the background (default: `"#000000"`) */
                    foreground?: string | null;
                    /**
                     * @description Form of the image (default: `"svg"`)
                     * @enum {string|null}
                     */
                    format?: "svg" | "png" | "pdf" | null;
                    /**
                     * Format: plain-text
                     * @description Draws a frame around the code with this line below it, in Latin, Greek or Cyrillic letters. The image is then higher than wide
                     */
                    frame_text?: string | null;
                    /** @description A PNG in base64 for the middle of the code, 64 KiB and 512 pixels wide or high at most. It covers at most a sixteenth of the symbol, and error correction is H */
                    logo?: string | null;
                    /** @description Width of the light margin, in modules. ISO/IEC 18004 requires 4 (default: `4`) */
                    margin?: number | null;
                    /** @description Width in pixels, including the margin. Without a frame the height is the same. A PDF has 96 pixels per inch (default: `256`) */
                    size?: number | null;
                };
            };
        };
        responses: {
            /** @description The image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "image/png": unknown;
                    "image/svg+xml": unknown;
                };
            };
        };
    };
    restoreLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, which is no longer deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    getLinkStats: {
        parameters: {
            query?: {
                /** @description Days of the project that are counted, today included */
                range?: "7d" | "30d";
            };
            header?: never;
            path: {
                /** @description Id of the link */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Clicks by day, platform, country and referrer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
                         */
                        as_of: string;
                        /** @description The 10 countries with most clicks by people */
                        countries: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description ISO 3166-1 alpha-2; null if it is not known */
                            country: string | null;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * Format: date
                         * @description First day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        from: string;
                        /** @description Clicks that the link had before it was imported, as `linkd import` read them from the other service. They belong to no range and are not included in any other figure */
                        imported: {
                            /** @description By service, most clicks first */
                            by_source: {
                                /** @description Clicks there */
                                clicks: number;
                                /**
                                 * @description Name of the service
                                 * @example bitly
                                 */
                                source: string;
                            }[];
                            /** @description Clicks at all of them */
                            clicks: number;
                        };
                        /**
                         * @description Id of the link
                         * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        link: string;
                        /** @description By platform, most clicks by people first */
                        platforms: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * @description What the visitor’s device runs
                             * @enum {string}
                             */
                            platform: "ios" | "android" | "desktop" | "other";
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description The range asked for
                         * @enum {string}
                         */
                        range: "7d" | "30d";
                        /** @description The 10 referrers with most clicks by people */
                        referrers: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Host of the page that led to the link; null if there was none */
                            referrer_host: string | null;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description Every day of the range, oldest first; a day without clicks has zeros */
                        series: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /**
                             * Format: date
                             * @description Day of the project
                             * @example 2026-11-20
                             */
                            date: string;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description Time zone of the project
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        /**
                         * Format: date
                         * @description Today, in the project’s time zone
                         * @example 2026-11-20
                         */
                        to: string;
                        /** @description Over the whole range: the sum of its days */
                        totals: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        };
                    };
                };
            };
        };
    };
    createLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Return what would happen to each link, and create none. Ids and generated paths of such a response are not reserved. (default: `false`) */
                    dry_run?: boolean | null;
                    /** @description Links to make, each as in `POST /links` */
                    links: components["schemas"]["LinkCreate"][];
                };
            };
        };
        responses: {
            /** @description A result for each link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
        };
    };
    testLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkTest"];
            };
        };
        responses: {
            /** @description What the visitor gets, and why */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkTestResult"];
                };
            };
        };
    };
    listResourceTypes: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only types in this state; by default those that are not archived */
                status?: "active" | "archived";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resource types, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceTypePage"];
                };
            };
        };
    };
    createResourceType: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResourceTypeCreate"];
            };
        };
        responses: {
            /** @description The resource type */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceType"];
                };
            };
        };
    };
    getResourceType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the resource type */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource type */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceType"];
                };
            };
        };
    };
    updateResourceType: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the resource type */
                type: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResourceTypePatch"];
            };
        };
        responses: {
            /** @description The resource type after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceType"];
                };
            };
        };
    };
    getMetadataApi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the resource type */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Hosts from which an image may come. An image on any other host is left out of the card. If the list is empty, any host is allowed. */
                        allowed_image_hosts: string[];
                        /** @description The credential itself is never returned. If an answer of the API contains it, plain or encoded (percent, JSON, HTML, Base64, hexadecimal), it is replaced by asterisks, also on cards. */
                        auth: {
                            /** @description Header that carries the credential; null unless `type` is `api_key_header` */
                            header_name: string | null;
                            /** @description Last characters of the stored credential; null if it is too short to show any of it */
                            secret_hint: string | null;
                            /** @description Whether a credential is stored */
                            secret_set: boolean;
                            /**
                             * @description How the service authenticates to the API
                             * @enum {string}
                             */
                            type: "none" | "bearer" | "api_key_header";
                        };
                        /**
                         * Format: date-time
                         * @description When the configuration was first made
                         */
                        created_at: string;
                        /** @description What a card shows if the answer has no usable value */
                        field_defaults: {
                            /** @description The item's own page, https */
                            canonical_url?: string;
                            /** @description The item's in-app route */
                            deep_link_path?: string;
                            /** @description Description on the card, at most 1,000 characters */
                            description?: string;
                            /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                            image_url?: string;
                            /** @description Title of the card, at most 300 characters */
                            title?: string;
                            /** @description Web destination that replaces the one of the template, https */
                            web_fallback_url?: string;
                        };
                        /** @description Where to find each field in the answer: a JSON Pointer if it begins with `/`, otherwise a dotted path such as `product.images.0.url`. A field without a path is not read. */
                        field_mapping: {
                            /** @description The item's own page, https */
                            canonical_url?: string;
                            /** @description The item's in-app route */
                            deep_link_path?: string;
                            /** @description Description on the card, at most 1,000 characters */
                            description?: string;
                            /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                            image_url?: string;
                            /** @description State of the item; `status_values` says what it means */
                            resource_status?: string;
                            /** @description Title of the card, at most 300 characters */
                            title?: string;
                            /** @description Web destination that replaces the one of the template, https */
                            web_fallback_url?: string;
                        };
                        /** @description Extra request headers that are not secret. Put credentials into `auth`, where they are stored encrypted and never shown. */
                        headers: {
                            [key: string]: string;
                        };
                        /**
                         * @description Id of the configuration
                         * @example mapi_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        id: string;
                        /** @description Maximum number of concurrent calls, over all servers together */
                        max_concurrency: number;
                        /** @description Maximum number of calls in any minute, over all servers together */
                        max_requests_per_minute: number;
                        /** @description How long a 404 or 410 (no such item) is cached; 0: not at all */
                        negative_ttl_seconds: number;
                        /** @description Fields that an answer must have; otherwise it is not used (`missing_required_field`). If you list a field that is neither mapped nor in `field_defaults`, no answer is ever used */
                        required_fields: ("title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url")[];
                        /**
                         * @description Id of the resource type
                         * @example rt_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        resource_type_id: string;
                        /** @description How long past its TTL an answer may still be shown when the API fails; 0: not at all */
                        stale_if_error_seconds: number;
                        /**
                         * @description If it is `disabled`, the API is not called and cards are generic
                         * @enum {string}
                         */
                        status: "active" | "disabled";
                        /** @description Which values of `resource_status` have which meaning. A value that is in no list counts as published, with a warning. If the object is absent, the names of the meanings are the values. */
                        status_values: {
                            /** @description Values that mean deleted */
                            deleted: string[];
                            /** @description Values that mean published */
                            published: string[];
                            /** @description Values that mean unpublished */
                            unpublished: string[];
                        };
                        /** @description Timeout of a whole call, in milliseconds */
                        timeout_ms: number;
                        /** @description How long an answer is used without calling again */
                        ttl_seconds: number;
                        /**
                         * Format: date-time
                         * @description When it was last replaced
                         */
                        updated_at: string;
                        /**
                         * @description https URL on a public host name, with `{id}`, and `{type}` for the key of the resource type, in its path or query. It is stored in ASCII; ids are percent-encoded.
                         * @example https://api.example.com/v1/{type}/{id}
                         */
                        url_template: string;
                    };
                };
            };
        };
    };
    putMetadataApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the resource type */
                type: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hosts from which an image may come. An image on any other host is left out of the card. If the list is empty, any host is allowed. */
                    allowed_image_hosts?: string[] | null;
                    /** @description If it is absent, authentication and credential do not change, provided that the origin of `url_template` does not change either. A new configuration has `none` */
                    auth?: {
                        /** @description Header that carries the credential. Required for `api_key_header`, and refused for every other type */
                        header_name?: string | null;
                        /** @description The credential, in visible ASCII. If it is absent, the stored one is kept. It is required if the origin of `url_template`, `type` or `header_name` changes: the stored credential is never sent to another place. */
                        secret?: string | null;
                        /**
                         * @description How the service authenticates to the API. `none` deletes the stored credential
                         * @enum {string}
                         */
                        type: "none" | "bearer" | "api_key_header";
                    } | null;
                    /** @description What a card shows if the answer has no usable value */
                    field_defaults?: {
                        /** @description The item's own page, https */
                        canonical_url?: string | null;
                        /** @description The item's in-app route */
                        deep_link_path?: string | null;
                        /** @description Description on the card, at most 1,000 characters */
                        description?: string | null;
                        /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                        image_url?: string | null;
                        /** @description Title of the card, at most 300 characters */
                        title?: string | null;
                        /** @description Web destination that replaces the one of the template, https */
                        web_fallback_url?: string | null;
                    } | null;
                    /**
                     * @description Where to find each field in the answer: a JSON Pointer if it begins with `/`, otherwise a dotted path such as `product.images.0.url`. A field without a path is not read.
                     * @example {
                     *       "title": "product.name",
                     *       "image_url": "/product/images/0/url"
                     *     }
                     */
                    field_mapping: {
                        /** @description The item's own page, https */
                        canonical_url?: string | null;
                        /** @description The item's in-app route */
                        deep_link_path?: string | null;
                        /** @description Description on the card, at most 1,000 characters */
                        description?: string | null;
                        /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                        image_url?: string | null;
                        /** @description State of the item; `status_values` says what it means */
                        resource_status?: string | null;
                        /** @description Title of the card, at most 300 characters */
                        title?: string | null;
                        /** @description Web destination that replaces the one of the template, https */
                        web_fallback_url?: string | null;
                    };
                    /** @description Extra request headers that are not secret. Put credentials into `auth`, where they are stored encrypted and never shown. */
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description Maximum number of concurrent calls, over all servers together (default: `10`) */
                    max_concurrency?: number | null;
                    /** @description Maximum number of calls in any minute, over all servers together (default: `600`) */
                    max_requests_per_minute?: number | null;
                    /** @description How long a 404 or 410 (no such item) is cached; 0: not at all (default: `300`) */
                    negative_ttl_seconds?: number | null;
                    /** @description Fields that an answer must have; otherwise it is not used (`missing_required_field`). If you list a field that is neither mapped nor in `field_defaults`, no answer is ever used */
                    required_fields?: ("title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url")[] | null;
                    /** @description How long past its TTL an answer may still be shown when the API fails; 0: not at all (default: `86400`) */
                    stale_if_error_seconds?: number | null;
                    /**
                     * @description If it is absent, the status does not change; a new configuration is `active`
                     * @enum {string|null}
                     */
                    status?: "active" | "disabled" | null;
                    /** @description Which values of `resource_status` have which meaning. A value that is in no list counts as published, with a warning. If the object is absent, the names of the meanings are the values. */
                    status_values?: {
                        /** @description Values that mean deleted */
                        deleted?: string[] | null;
                        /** @description Values that mean published */
                        published?: string[] | null;
                        /** @description Values that mean unpublished */
                        unpublished?: string[] | null;
                    } | null;
                    /** @description Timeout of a whole call, in milliseconds (default: `1500`) */
                    timeout_ms?: number | null;
                    /** @description How long an answer is used without calling again (default: `3600`) */
                    ttl_seconds?: number | null;
                    /**
                     * @description https URL on a public host name, with `{id}`, and `{type}` for the key of the resource type, in its path or query. It is stored in ASCII; ids are percent-encoded. At most 2,048 characters, where an escaped character counts once
                     * @example https://api.example.com/v1/{type}/{id}
                     */
                    url_template: string;
                };
            };
        };
        responses: {
            /** @description The configuration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Hosts from which an image may come. An image on any other host is left out of the card. If the list is empty, any host is allowed. */
                        allowed_image_hosts: string[];
                        /** @description The credential itself is never returned. If an answer of the API contains it, plain or encoded (percent, JSON, HTML, Base64, hexadecimal), it is replaced by asterisks, also on cards. */
                        auth: {
                            /** @description Header that carries the credential; null unless `type` is `api_key_header` */
                            header_name: string | null;
                            /** @description Last characters of the stored credential; null if it is too short to show any of it */
                            secret_hint: string | null;
                            /** @description Whether a credential is stored */
                            secret_set: boolean;
                            /**
                             * @description How the service authenticates to the API
                             * @enum {string}
                             */
                            type: "none" | "bearer" | "api_key_header";
                        };
                        /**
                         * Format: date-time
                         * @description When the configuration was first made
                         */
                        created_at: string;
                        /** @description What a card shows if the answer has no usable value */
                        field_defaults: {
                            /** @description The item's own page, https */
                            canonical_url?: string;
                            /** @description The item's in-app route */
                            deep_link_path?: string;
                            /** @description Description on the card, at most 1,000 characters */
                            description?: string;
                            /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                            image_url?: string;
                            /** @description Title of the card, at most 300 characters */
                            title?: string;
                            /** @description Web destination that replaces the one of the template, https */
                            web_fallback_url?: string;
                        };
                        /** @description Where to find each field in the answer: a JSON Pointer if it begins with `/`, otherwise a dotted path such as `product.images.0.url`. A field without a path is not read. */
                        field_mapping: {
                            /** @description The item's own page, https */
                            canonical_url?: string;
                            /** @description The item's in-app route */
                            deep_link_path?: string;
                            /** @description Description on the card, at most 1,000 characters */
                            description?: string;
                            /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                            image_url?: string;
                            /** @description State of the item; `status_values` says what it means */
                            resource_status?: string;
                            /** @description Title of the card, at most 300 characters */
                            title?: string;
                            /** @description Web destination that replaces the one of the template, https */
                            web_fallback_url?: string;
                        };
                        /** @description Extra request headers that are not secret. Put credentials into `auth`, where they are stored encrypted and never shown. */
                        headers: {
                            [key: string]: string;
                        };
                        /**
                         * @description Id of the configuration
                         * @example mapi_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        id: string;
                        /** @description Maximum number of concurrent calls, over all servers together */
                        max_concurrency: number;
                        /** @description Maximum number of calls in any minute, over all servers together */
                        max_requests_per_minute: number;
                        /** @description How long a 404 or 410 (no such item) is cached; 0: not at all */
                        negative_ttl_seconds: number;
                        /** @description Fields that an answer must have; otherwise it is not used (`missing_required_field`). If you list a field that is neither mapped nor in `field_defaults`, no answer is ever used */
                        required_fields: ("title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url")[];
                        /**
                         * @description Id of the resource type
                         * @example rt_01jd4v6xq8e5s0m3k7n9p2r4tw
                         */
                        resource_type_id: string;
                        /** @description How long past its TTL an answer may still be shown when the API fails; 0: not at all */
                        stale_if_error_seconds: number;
                        /**
                         * @description If it is `disabled`, the API is not called and cards are generic
                         * @enum {string}
                         */
                        status: "active" | "disabled";
                        /** @description Which values of `resource_status` have which meaning. A value that is in no list counts as published, with a warning. If the object is absent, the names of the meanings are the values. */
                        status_values: {
                            /** @description Values that mean deleted */
                            deleted: string[];
                            /** @description Values that mean published */
                            published: string[];
                            /** @description Values that mean unpublished */
                            unpublished: string[];
                        };
                        /** @description Timeout of a whole call, in milliseconds */
                        timeout_ms: number;
                        /** @description How long an answer is used without calling again */
                        ttl_seconds: number;
                        /**
                         * Format: date-time
                         * @description When it was last replaced
                         */
                        updated_at: string;
                        /**
                         * @description https URL on a public host name, with `{id}`, and `{type}` for the key of the resource type, in its path or query. It is stored in ASCII; ids are percent-encoded.
                         * @example https://api.example.com/v1/{type}/{id}
                         */
                        url_template: string;
                    };
                };
            };
        };
    };
    testMetadataApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the resource type */
                type: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: plain-text
                     * @description Id of an item, as it appears in a URL, decoded
                     */
                    id: string;
                };
            };
        };
        responses: {
            /** @description The result of the call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Values that cannot be used */
                        issues: {
                            /** @description A short stable code */
                            code: string;
                            /** @description A sentence for people */
                            detail: string;
                            /**
                             * @description The field
                             * @enum {string}
                             */
                            field: "title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url" | "resource_status";
                        }[];
                        /** @description Milliseconds until the whole answer had arrived */
                        latency_ms: number | null;
                        /** @description The mapped fields, defaults filled in; null if there is no usable value and no default */
                        metadata: {
                            /** @description The item's own page, https */
                            canonical_url: string | null;
                            /** @description The item's in-app route */
                            deep_link_path: string | null;
                            /** @description Description on the card, at most 1,000 characters */
                            description: string | null;
                            /** @description Image of the card: https, on one of `allowed_image_hosts` if there are any */
                            image_url: string | null;
                            /** @description State of the item; `status_values` says what it means */
                            resource_status: string | null;
                            /** @description Title of the card, at most 300 characters */
                            title: string | null;
                            /** @description Web destination that replaces the one of the template, https */
                            web_fallback_url: string | null;
                        } | null;
                        /**
                         * @description `missing`: the API says that there is no such item (404, 410). `invalid`: its answer cannot be used. `error`: the call failed. `skipped`: the API was not called because the configuration is disabled.
                         * @enum {string}
                         */
                        outcome: "ok" | "missing" | "invalid" | "error" | "skipped";
                        /**
                         * @description The reason for `invalid` or `error`
                         * @enum {string|null}
                         */
                        reason: "missing_required_field" | "not_json" | "not_an_object" | "too_large" | "http_status" | "timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | null;
                        /** @description The URL that was called. It never contains a credential */
                        request_url: string | null;
                        /** @description First 16 KB of the response body, for comparison by people; null if there was no response. If it contains the credential, plain or encoded, the credential is replaced by asterisks, in `metadata` too. */
                        response_body: string | null;
                        /** @description HTTP status of the answer */
                        status: number | null;
                        /** @description Values that are used after a correction */
                        warnings: {
                            /** @description A short stable code */
                            code: string;
                            /** @description A sentence for people */
                            detail: string;
                            /**
                             * @description The field
                             * @enum {string}
                             */
                            field: "title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url" | "resource_status";
                        }[];
                    };
                };
            };
        };
    };
    invalidateResources: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Ids of items. An id that appears twice counts once.
                     * @example [
                     *       "42",
                     *       "43"
                     *     ]
                     */
                    ids: string[];
                    /**
                     * Format: plain-text
                     * @description Key of the resource type
                     */
                    resource_type: string;
                };
            };
        };
        responses: {
            /** @description How many answers were cleared */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids whose cached answer was removed */
                        removed: number;
                        /** @description Ids sent */
                        requested: number;
                        /**
                         * @description Key of the resource type
                         * @example product
                         */
                        resource_type: string;
                    };
                };
            };
        };
    };
    previewResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description A URL or a path, as a person would type it
                     * @example https://go.example.com/p/42
                     * @example /p/42?ref=mail
                     */
                    path: string;
                };
            };
        };
        responses: {
            /** @description The preview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the shared cache contained at the time of the call */
                        cache: {
                            /**
                             * Format: date-time
                             * @description When its TTL ends
                             */
                            expires_at: string | null;
                            /**
                             * Format: date-time
                             * @description When the API gave the answer
                             */
                            fetched_at: string | null;
                            /**
                             * @description `stale`: past its TTL, but still shown while the API fails. `missing`: the cache says that there is no such item.
                             * @enum {string}
                             */
                            state: "none" | "fresh" | "stale" | "missing";
                        };
                        /** @description The card a preview bot would see, unless it is redirected or the destination of the item is blocked */
                        card: {
                            /** @description Description */
                            description: string | null;
                            /** @description Image */
                            image_url: string | null;
                            /**
                             * @description `unavailable`: the API says that the item is not available. `generic`: nothing is known about the item.
                             * @enum {string}
                             */
                            kind: "item" | "unavailable" | "generic";
                            /** @description Whether the image is shown large */
                            large_image: boolean;
                            /** @description Title */
                            title: string | null;
                        };
                        /** @description Why the path did or did not resolve, and where the card comes from */
                        detail: string;
                        /** @description The result of the call; null if there is nothing to call, or if the destination of the item is blocked */
                        fetch: {
                            /** @description Values that cannot be used */
                            issues: {
                                /** @description A short stable code */
                                code: string;
                                /** @description A sentence for people */
                                detail: string;
                                /**
                                 * @description The field
                                 * @enum {string}
                                 */
                                field: "title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url" | "resource_status";
                            }[];
                            /** @description Milliseconds until the whole answer had arrived */
                            latency_ms: number | null;
                            /**
                             * @description `missing`: the API says that there is no such item (404, 410). `invalid`: its answer cannot be used. `error`: the call failed. `skipped`: the API was not called because the configuration is disabled.
                             * @enum {string}
                             */
                            outcome: "ok" | "missing" | "invalid" | "error" | "skipped";
                            /**
                             * @description The reason for `invalid` or `error`
                             * @enum {string|null}
                             */
                            reason: "missing_required_field" | "not_json" | "not_an_object" | "too_large" | "http_status" | "timeout" | "dns" | "connect" | "tls" | "blocked_address" | "redirect" | null;
                            /** @description The URL that was called. It never contains a credential */
                            request_url: string | null;
                            /** @description HTTP status of the answer */
                            status: number | null;
                            /** @description Values that are used after a correction */
                            warnings: {
                                /** @description A short stable code */
                                code: string;
                                /** @description A sentence for people */
                                detail: string;
                                /**
                                 * @description The field
                                 * @enum {string}
                                 */
                                field: "title" | "description" | "image_url" | "canonical_url" | "deep_link_path" | "web_fallback_url" | "resource_status";
                            }[];
                        } | null;
                        /**
                         * @description State of the configuration; `none` if there is no configuration or no item
                         * @enum {string}
                         */
                        metadata_api: "active" | "disabled" | "none";
                        /** @description Where a preview bot is redirected instead: the web destination of an item whose type has no active metadata API. The card of that page is then shown */
                        redirect_url: string | null;
                        /** @description The item; null unless it is a match */
                        resource: {
                            /** @description Custom JSON delivered to the app */
                            data: {
                                [key: string]: unknown;
                            } | null;
                            /** @description In-app route: the one from the API, or else the template's */
                            deep_link_path: string;
                            /** @description The item, decoded from the URL */
                            id: string;
                            /** @description State of the item, as the API calls it */
                            resource_status: string | null;
                            /** @description Key of the resource type */
                            resource_type: string;
                            /**
                             * @description Id of the template
                             * @example tpl_01jd4v6xq8e5s0m3k7n9p2r4tw
                             */
                            template_id: string;
                        } | null;
                        /**
                         * @description Whether the path leads to an item
                         * @enum {string}
                         */
                        result: "match" | "invalid_id" | "no_template";
                    };
                };
            };
        };
    };
    getResourceStats: {
        parameters: {
            query?: {
                /** @description Days of the project that are counted, today included */
                range?: "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures of every type */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
                         */
                        as_of: string;
                        /**
                         * Format: date
                         * @description First day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        from: string;
                        /**
                         * @description The range asked for
                         * @enum {string}
                         */
                        range: "7d" | "30d";
                        /**
                         * @description Time zone of the project
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        /**
                         * Format: date
                         * @description Today, in the project’s time zone
                         * @example 2026-11-20
                         */
                        to: string;
                        /** @description Every active type, and archived types that have figures in the range; most clicks first */
                        types: {
                            /** @description Clicks by people on items of the type */
                            clicks: number;
                            /** @description How the metadata API behaved */
                            metadata_api: {
                                /** @description Mean time of a call; null without calls */
                                avg_latency_ms: number | null;
                                /** @description Calls skipped because the circuit breaker was open */
                                breaker_open: number;
                                /** @description Calls to the metadata API */
                                calls: number;
                                /** @description Share of calls that failed or ran out of time; null without calls */
                                error_rate: number | null;
                                /** @description Failed calls (HTTP error or network) */
                                errors: number;
                                /** @description Calls whose answer could not be used */
                                invalid: number;
                                /** @description Calls that said the item does not exist */
                                missing: number;
                                /** @description Calls that returned an item */
                                ok: number;
                                /**
                                 * @description Range, in milliseconds, that contains the 95th percentile; null without calls
                                 * @enum {string|null}
                                 */
                                p95_bucket: "lt_100" | "lt_300" | "lt_1000" | "ge_1000" | null;
                                /** @description Calls skipped by the concurrency or per-minute limit */
                                throttled: number;
                                /** @description Calls that ran out of time */
                                timeouts: number;
                            };
                            /** @description How previews were answered */
                            previews: {
                                /** @description Share of previews that did not call the API; null without previews */
                                cache_hit_rate: number | null;
                                /** @description Answered with the generic card */
                                fallback: number;
                                /** @description Answered from the shared cache */
                                from_database: number;
                                /** @description Answered from the memory of a redirect process */
                                from_memory: number;
                                /** @description Answered from a remembered item-not-found */
                                from_negative_cache: number;
                                /** @description Redirected to the web destination, as the type has no active metadata API */
                                redirected: number;
                                /** @description Previews built for bots and social apps */
                                served: number;
                                /** @description Answered with an expired copy while the API was refreshed or failing */
                                stale: number;
                            };
                            /**
                             * @description Key of the type
                             * @example product
                             */
                            resource_type: string;
                            /** @description The 10 items with most clicks */
                            top_items: {
                                /** @description Clicks by people */
                                clicks: number;
                                /** @description The item, as it appeared in the URL */
                                id: string;
                            }[];
                        }[];
                    };
                };
            };
        };
    };
    readSharedView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 KiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Its password, if it has one */
                    password?: string | null;
                    /** @description `token` of the link */
                    token: string;
                };
            };
        };
        responses: {
            /** @description What the view shows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedView"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description What one entry of `series` covers; by default `hour` for `1d` and `day` otherwise */
                interval?: "hour" | "day";
                /** @description Days of the project that are counted, today included */
                range?: "1d" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Clicks by time, platform, country, referrer, campaign, type, link and item */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
                         */
                        as_of: string;
                        /** @description The 10 campaigns with most clicks by people */
                        campaigns: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /**
                             * @description Key of the campaign
                             * @example spring
                             */
                            campaign: string;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description The 10 countries with most clicks by people */
                        countries: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description ISO 3166-1 alpha-2; null if it is not known */
                            country: string | null;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * Format: date
                         * @description First day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        from: string;
                        /**
                         * @description What one entry of `series` covers
                         * @enum {string}
                         */
                        interval: "hour" | "day";
                        /** @description By platform, most clicks by people first */
                        platforms: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * @description What the visitor’s device runs
                             * @enum {string}
                             */
                            platform: "ios" | "android" | "desktop" | "other";
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description The range asked for
                         * @enum {string}
                         */
                        range: "1d" | "7d" | "30d";
                        /** @description The 10 referrers with most clicks by people */
                        referrers: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Host of the page that led to the link; null if there was none */
                            referrer_host: string | null;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description Every day of the range, or every hour up to now, including those without clicks, oldest first. Hours are those of the project’s time zone; when clocks change, one of them is shorter. `unique` of an hour counts the visitors of that hour, so a visitor who clicks in two hours counts in both. */
                        series: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /**
                             * Format: date
                             * @description Day of the project
                             * @example 2026-11-20
                             */
                            date: string;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * Format: date-time
                             * @description When the hour or day begins
                             */
                            start: string;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description Time zone of the project
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        /**
                         * Format: date
                         * @description Today, in the project’s time zone
                         * @example 2026-11-20
                         */
                        to: string;
                        /** @description The 10 items with most clicks by people, of all types */
                        top_items: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description The item, as it appeared in the URL */
                            id: string;
                            /**
                             * @description Key of the type
                             * @example product
                             */
                            resource_type: string;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description The 10 links with most clicks by people */
                        top_links: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * @description Id of the link
                             * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                             */
                            link: string;
                            /** @description Its path; null if the link was deleted for good */
                            path: string | null;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /** @description Over the whole range: the sum of its days */
                        totals: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        };
                        /** @description Clicks on items by resource type, most clicks by people first */
                        types: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * @description Key of the type
                             * @example product
                             */
                            resource_type: string;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                    };
                };
            };
        };
    };
    getClicks: {
        parameters: {
            query?: {
                /** @description Why the click counts as a bot’s */
                bot_reason?: string;
                /** @description What `breakdown` groups clicks by. With `tag` a click counts for each tag that its link has now. With `item`, items of different types are separate even if they have the same id */
                breakdown?: "link" | "campaign" | "resource_type" | "item" | "host" | "path" | "source" | "referrer_host" | "in_app_browser" | "platform" | "os" | "os_version" | "browser" | "browser_version" | "country" | "region" | "city" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "bot_reason" | "tag";
                /** @description Name of the browser, such as `Safari`. For the browser of an app, the name of the app */
                browser?: string;
                /** @description First number of the browser’s version */
                browser_version?: string;
                /** @description Key of a campaign */
                campaign?: string;
                /** @description Name of the city as the proxy sends it, or its English name from the operator’s city database. Cities of different countries may share a name */
                city?: string;
                /** @description Whether to return the totals of the same number of days before, too */
                compare?: boolean;
                /** @description ISO 3166-1 alpha-2 */
                country?: string;
                /** @description First day, in the project’s time zone; by default six days before `to` */
                from?: string;
                /** @description Host that was visited */
                host?: string;
                /** @description The app whose browser was used */
                in_app_browser?: string;
                /** @description What one entry of `series` covers. Weeks begin on Monday. If it is absent, there is no series */
                interval?: "hour" | "day" | "week" | "month";
                /** @description Id of an item, as it appeared in the URL, whatever its type */
                item?: string;
                /** @description Maximum number of rows in `breakdown` */
                limit?: number;
                /** @description Id of a link */
                link?: string;
                /** @description What the rows of `breakdown` are sorted by before `limit` cuts them off: clicks by people, unique visitors, or all clicks */
                measure?: "human" | "unique" | "all";
                /** @description Operating system, such as `iOS` or `Windows` */
                os?: string;
                /** @description Version of the operating system, such as `17.5.1`, where the browser tells it */
                os_version?: string;
                /** @description Path that was visited, without the leading slash: for a visit to an alias, the path of the alias */
                path?: string;
                /** @description What the visitor’s device runs: `ios`, `android`, `desktop`, `other` */
                platform?: string;
                /** @description Days that move with the calendar, in the project’s time zone. It replaces `from` and `to` and cannot be used with them */
                range?: "today" | "last_7_days" | "last_30_days" | "last_90_days" | "this_month" | "last_month";
                /** @description Host of the page that led to the link */
                referrer_host?: string;
                /** @description ISO 3166-2, such as `DE-BE`. Known if the proxy sends it or the operator has a city database */
                region?: string;
                /** @description Key of a resource type */
                resource_type?: string;
                /** @description `qr` for a visitor who scanned the QR code of the link, else `link` */
                source?: string;
                /** @description Name of a tag that links have now; empty for links without a tag, and for items */
                tag?: string;
                /** @description Last day, inclusive; today if it is absent or in the future */
                to?: string;
                /** @description UTM field of the link or its campaign */
                utm_campaign?: string;
                /** @description UTM field of the link or its campaign */
                utm_content?: string;
                /** @description UTM field of the link or its campaign */
                utm_medium?: string;
                /** @description UTM field of the link or its campaign */
                utm_source?: string;
                /** @description UTM field of the link or its campaign */
                utm_term?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks that match the filters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
                         */
                        as_of: string;
                        /** @description Sorted by `measure`, most first; empty unless `breakdown` was asked for */
                        breakdown: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Path of a link; null for anything else, and for a link that was deleted for good */
                            name: string | null;
                            /** @description Key of the type of an item; null for anything else */
                            resource_type: string | null;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                            /** @description Id of a link, key of a campaign or resource type, name of a tag, or the value itself; null if there is none or it is not known */
                            value: string | null;
                        }[];
                        /**
                         * Format: date
                         * @description First day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        from: string;
                        /** @description The same number of days before; null unless `compare` is true */
                        previous: {
                            /**
                             * Format: date
                             * @description First day
                             * @example 2026-11-20
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description Last day
                             * @example 2026-11-20
                             */
                            to: string;
                            /** @description Over those days */
                            totals: {
                                /** @description All clicks, including those of bots */
                                all: number;
                                /** @description Clicks by people: without bots and prefetches */
                                human: number;
                                /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                                unique: number;
                            };
                        } | null;
                        /** @description Every hour, day, week or month of the range that has begun, including those without clicks, oldest first */
                        series: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /**
                             * Format: date
                             * @description Its first day within the range
                             * @example 2026-11-20
                             */
                            date: string;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /**
                             * Format: date-time
                             * @description When it begins
                             */
                            start: string;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        }[];
                        /**
                         * @description Time zone of the project
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        /**
                         * Format: date
                         * @description Last day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        to: string;
                        /** @description Over the whole range */
                        totals: {
                            /** @description All clicks, including those of bots */
                            all: number;
                            /** @description Clicks by people: without bots and prefetches */
                            human: number;
                            /** @description Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times */
                            unique: number;
                        };
                    };
                };
            };
        };
    };
    getConversions: {
        parameters: {
            query?: {
                /** @description Key of a campaign: only what this campaign has led to */
                campaign?: string;
                /** @description First day, in the project’s time zone; by default 29 days before `to` */
                from?: string;
                /** @description Id of an item, as it appeared in the URL, of any type: only what this item has led to */
                item?: string;
                /** @description Maximum number of entries in each of `events`, `campaigns`, `links`, `resource_types` and `items` */
                limit?: number;
                /** @description Id of a link: only what this link has led to */
                link?: string;
                /** @description Key of a resource type: only what its items have led to */
                resource_type?: string;
                /** @description Last day, inclusive; today if it is absent or in the future */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What clicks have led to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later
                         */
                        as_of: string;
                        /** @description Campaigns that have led to more than clicks, most installations first */
                        campaigns: {
                            /** @description Key of the campaign; null for what belongs to none */
                            campaign: string | null;
                            /** @description Clicks by people; null for what belongs to no link or no campaign */
                            clicks: number | null;
                            /** @description Tracked events */
                            events: number;
                            /** @description First opens of the app that were matched */
                            installs: number;
                            /** @description Later opens of installations through a link */
                            opens: number;
                            /** @description Sums of the values of the events, by currency */
                            values: {
                                /** @description ISO 4217; null for values that were sent without one */
                                currency: string | null;
                                /** @description Sum of the values */
                                sum: number;
                            }[];
                        }[];
                        /** @description Tracked events by name, the most frequent first */
                        events: {
                            /** @description How many there were */
                            count: number;
                            /** @description Name of the tracked event */
                            name: string;
                            /** @description Sums of the values of the events, by currency */
                            values: {
                                /** @description ISO 4217; null for values that were sent without one */
                                currency: string | null;
                                /** @description Sum of the values */
                                sum: number;
                            }[];
                        }[];
                        /**
                         * Format: date
                         * @description First day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        from: string;
                        /** @description Items that have led to more than clicks, most installations first */
                        items: {
                            /** @description Clicks by people */
                            clicks: number;
                            /** @description Tracked events */
                            events: number;
                            /** @description First opens of the app that were matched */
                            installs: number;
                            /** @description Id of the item, as it appeared in the URL */
                            item: string;
                            /** @description Later opens of installations through a link */
                            opens: number;
                            /** @description Key of its resource type */
                            resource_type: string;
                            /** @description Sums of the values of the events, by currency */
                            values: {
                                /** @description ISO 4217; null for values that were sent without one */
                                currency: string | null;
                                /** @description Sum of the values */
                                sum: number;
                            }[];
                        }[];
                        /** @description Links that have led to more than clicks, most installations first */
                        links: {
                            /** @description Clicks by people; null for what belongs to no link or no campaign */
                            clicks: number | null;
                            /** @description Tracked events */
                            events: number;
                            /** @description First opens of the app that were matched */
                            installs: number;
                            /**
                             * @description Id of the link; null for what belongs to none
                             * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                             */
                            link: string | null;
                            /** @description Later opens of installations through a link */
                            opens: number;
                            /** @description Its path; null if the link was deleted for good */
                            path: string | null;
                            /** @description Sums of the values of the events, by currency */
                            values: {
                                /** @description ISO 4217; null for values that were sent without one */
                                currency: string | null;
                                /** @description Sum of the values */
                                sum: number;
                            }[];
                        }[];
                        /** @description How the installations were matched, in the order in which the rules are tried */
                        match_types: {
                            /** @description First opens of the app that were matched */
                            installs: number;
                            /**
                             * @description The rule that matched
                             * @enum {unknown}
                             */
                            match_type: "opened_url" | "play_referrer" | "clipboard" | "probabilistic";
                        }[];
                        /** @description Resource types whose items have led to more than clicks, most installations first */
                        resource_types: {
                            /** @description Clicks by people on its items */
                            clicks: number;
                            /** @description Tracked events */
                            events: number;
                            /** @description First opens of the app that were matched */
                            installs: number;
                            /** @description Later opens of installations through a link */
                            opens: number;
                            /** @description Key of the resource type */
                            resource_type: string;
                            /** @description Sums of the values of the events, by currency */
                            values: {
                                /** @description ISO 4217; null for values that were sent without one */
                                currency: string | null;
                                /** @description Sum of the values */
                                sum: number;
                            }[];
                        }[];
                        /**
                         * @description Time zone of the project
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        /**
                         * Format: date
                         * @description Last day, in the project’s time zone
                         * @example 2026-11-20
                         */
                        to: string;
                        /** @description Over the whole range */
                        totals: {
                            /** @description Clicks by people */
                            clicks: number;
                            /** @description Tracked events */
                            events: number;
                            /** @description First opens of the app that were matched */
                            installs: number;
                            /** @description Later opens of installations through a link */
                            opens: number;
                            /** @description First opens that were not matched */
                            organic_installs: number;
                            /** @description Sums of the values of the events, by currency */
                            values: {
                                /** @description ISO 4217; null for values that were sent without one */
                                currency: string | null;
                                /** @description Sum of the values */
                                sum: number;
                            }[];
                        };
                    };
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only tags whose name contains this text, in any case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tags, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagPage"];
                };
            };
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the tag */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the tag */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the tag */
                tag: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: plain-text
                     * @description Name of a tag, without commas, and without blanks at either end
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The tag after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    listTrackedEvents: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Start of the window in which events were stored; by default 7 days before `to` */
                from?: string;
                /** @description Only events of this installation, as the app named it */
                install_id?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description End of the window; by default now; at most 30 days after `from` */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tracked events, the most recently stored first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The objects of the page */
                        data: components["schemas"]["TrackedEvent"][];
                        /** @description Pass it as `cursor` for the next page; null on the last one */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listUrlTemplates: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only templates of the type with this id */
                resource_type_id?: string;
                /** @description Only templates in this state; by default those that are not archived */
                status?: "active" | "disabled" | "archived";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlTemplatePage"];
                };
            };
        };
    };
    createUrlTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UrlTemplateCreate"];
            };
        };
        responses: {
            /** @description The template with its warnings */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlTemplateWithWarnings"];
                };
            };
        };
    };
    getUrlTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the template */
                template: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlTemplate"];
                };
            };
        };
    };
    updateUrlTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the template */
                template: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UrlTemplatePatch"];
            };
        };
        responses: {
            /** @description The template after the change, with its warnings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlTemplateWithWarnings"];
                };
            };
        };
    };
    testUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UrlTest"];
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlTestResult"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of views, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewCreate"];
            };
        };
        responses: {
            /** @description The view */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    getView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateView: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewPatch"];
            };
        };
        responses: {
            /** @description The view after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    getViewShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewShare"];
                };
            };
        };
    };
    shareView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the link stops working (404): ISO 8601 with any offset. It must be in the future
                     */
                    expires_at?: string | null;
                    /**
                     * Format: plain-text
                     * @description Readers have to enter it before they see anything. It is stored as a hash (scrypt) and never shown; `has_password` says whether there is one.
                     */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description The public link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewShare"];
                };
            };
        };
    };
    revokeViewShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateViewShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the view */
                view: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the link stops working (404): ISO 8601 with any offset. It must be in the future
                     */
                    expires_at?: string | null;
                    /**
                     * Format: plain-text
                     * @description Readers have to enter it before they see anything. It is stored as a hash (scrypt) and never shown; `has_password` says whether there is one.
                     */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description The public link after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewShare"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints, without secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The endpoint with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The endpoint after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Only events of this type */
                event_type?: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed";
                /** @description Start of the window; by default 7 days before `to`. The log keeps 30 days. */
                from?: string;
                /** @description Maximum number of rows per page */
                limit?: number;
                /** @description Only attempts in this state */
                status?: "pending" | "succeeded" | "failed" | "retrying" | "abandoned";
                /** @description End of the window; by default now; at most 30 days after `from` */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of an attempt in the log of the endpoint */
                delivery: string;
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queued delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    replayFailures: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description `next_cursor` of the previous call, to continue exactly after its last event */
                    cursor?: string | null;
                    /**
                     * @description Only events of this type
                     * @enum {string|null}
                     */
                    event_type?: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed" | null;
                    /**
                     * Format: date-time
                     * @description Start of the window: failures whose last attempt was queued then or later. The log keeps 30 days.
                     */
                    from: string;
                    /**
                     * @description Only failures of this kind; by default both
                     * @enum {string|null}
                     */
                    status?: "failed" | "abandoned" | null;
                    /**
                     * Format: date-time
                     * @description End of the window, at most 30 days after `from`
                     */
                    to: string;
                };
            };
        };
        responses: {
            /** @description How many events were queued */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Pass this as `cursor` to continue, together with `next_from` and `next_to`; null otherwise. Without it, events of the last millisecond are looked at again */
                        next_cursor: string | null;
                        /**
                         * Format: date-time
                         * @description If there were more than 1,000 events, pass this as `from` to continue; null otherwise
                         */
                        next_from: string | null;
                        /**
                         * Format: date-time
                         * @description Pass this as `to` to continue, so that the events of this call are not queued again; null otherwise
                         */
                        next_to: string | null;
                        /** @description How many events cannot be sent again because they are no longer kept */
                        not_kept: number;
                        /** @description How many events are sent again */
                        queued: number;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the endpoint */
                webhook: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Type of the sample. The endpoint must be subscribed to it. By default its first type
                     * @enum {string|null}
                     */
                    event_type?: "click.created" | "install.attributed" | "install.organic" | "open.reengaged" | "event.tracked" | "link.created" | "link.updated" | "link.disabled" | "link.blocked" | "campaign.created" | "campaign.ended" | "domain.verified" | "domain.failed" | null;
                };
            };
        };
        responses: {
            /** @description The queued delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    onCampaignCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "campaign.created";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: components["schemas"]["Campaign"];
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "campaign.created";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignEnded: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "campaign.ended";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: components["schemas"]["Campaign"];
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "campaign.ended";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onClickCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "click.created";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: components["schemas"]["Click"];
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "click.created";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "domain.failed";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: components["schemas"]["Domain"];
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "domain.failed";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainVerified: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "domain.verified";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: components["schemas"]["Domain"];
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "domain.verified";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEventTracked: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "event.tracked";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        campaign: string | null;
                        click_id: string | null;
                        currency: string | null;
                        install_id: string | null;
                        item_id?: string | null;
                        link_id: string | null;
                        /** @description Name of the tracked event */
                        name: string;
                        /**
                         * Format: date-time
                         * @description When it happened
                         */
                        occurred_at: string;
                        properties: {
                            [key: string]: unknown;
                        } | null;
                        resource_type?: string | null;
                        /**
                         * @description Who reported it
                         * @enum {unknown}
                         */
                        source: "sdk" | "server";
                        value: number | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "event.tracked";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInstallAttributed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "install.attributed";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * @description How the open counts
                         * @constant
                         */
                        attribution: "attributed";
                        click_id: string | null;
                        data: {
                            [key: string]: unknown;
                        } | null;
                        deep_link_path: string | null;
                        /** @description Whether the match is certain */
                        guaranteed: boolean;
                        /** @description Id the app gave its installation */
                        install_id: string;
                        item_id: string | null;
                        link_id: string | null;
                        match_type: ("opened_url" | "play_referrer" | "clipboard" | "probabilistic") | null;
                        /** @description Facts that are the same in the click and the open */
                        matched_factors: string[];
                        /**
                         * Format: date-time
                         * @description When the app was opened
                         */
                        occurred_at: string;
                        params: {
                            [key: string]: string;
                        } | null;
                        /**
                         * @description Platform of the device
                         * @enum {unknown}
                         */
                        platform: "ios" | "android" | "other";
                        reason: string | null;
                        resource_type: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "install.attributed";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInstallOrganic: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "install.organic";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * @description How the open counts
                         * @constant
                         */
                        attribution: "organic";
                        click_id: string | null;
                        data: {
                            [key: string]: unknown;
                        } | null;
                        deep_link_path: string | null;
                        /** @description Whether the match is certain */
                        guaranteed: boolean;
                        /** @description Id the app gave its installation */
                        install_id: string;
                        item_id: string | null;
                        link_id: string | null;
                        match_type: ("opened_url" | "play_referrer" | "clipboard" | "probabilistic") | null;
                        /** @description Facts that are the same in the click and the open */
                        matched_factors: string[];
                        /**
                         * Format: date-time
                         * @description When the app was opened
                         */
                        occurred_at: string;
                        params: {
                            [key: string]: string;
                        } | null;
                        /**
                         * @description Platform of the device
                         * @enum {unknown}
                         */
                        platform: "ios" | "android" | "other";
                        reason: string | null;
                        resource_type: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "install.organic";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLinkBlocked: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "link.blocked";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: date-time
                         * @description When the link begins to work. Before that, visitors see the page for a link that does not exist
                         */
                        active_from: string | null;
                        /** @description Other addresses that lead to the link */
                        aliases: {
                            /** @description The environment's link host, or a verified domain of it */
                            host: string;
                            /** @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed */
                            path: string;
                        }[];
                        /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
                        allow_param_passthrough: boolean;
                        /** @description Whether the link is left out of lists by default. It keeps working */
                        archived: boolean;
                        /** @description The destination, or the image of the card, that is on the block list */
                        blocked_destination: string;
                        /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                        campaign: string | null;
                        /** @description Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination. */
                        card: {
                            /** @description Description */
                            description: string | null;
                            /** @description Image: https */
                            image_url: string | null;
                            /** @description Title; null shows the name of the project */
                            title: string | null;
                        } | null;
                        /** @description Notes for people who work with the link. Visitors and apps do not see them */
                        comments: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was made
                         */
                        created_at: string;
                        created_by?: string | null;
                        /** @description Custom JSON delivered to the app */
                        data: {
                            [key: string]: unknown;
                        } | null;
                        /**
                         * @description In-app route
                         * @example /product/42
                         */
                        deep_link_path: string;
                        destinations: components["schemas"]["Destinations"];
                        /** @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link */
                        domain: string | null;
                        /**
                         * @description Environment of the link
                         * @enum {unknown}
                         */
                        environment: "test" | "live";
                        /**
                         * Format: date-time
                         * @description When the link stops working
                         */
                        expires_at: string | null;
                        /**
                         * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2). They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database.
                         * @example {
                         *       "DE": "https://example.de/"
                         *     }
                         */
                        geo: {
                            [key: string]: string;
                        } | null;
                        /** @description Whether visitors are asked for a password */
                        has_password: boolean;
                        /** @description Id of the link, lnk_... */
                        id: string;
                        /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
                        interstitial: boolean | null;
                        /** @description How many clicks the link accepts. After that it has expired */
                        max_clicks: number | null;
                        /** @description Path on the link host */
                        path: string;
                        /**
                         * @description State of the link when the event was made
                         * @enum {unknown}
                         */
                        status: "active" | "scheduled" | "disabled" | "blocked" | "expired";
                        /**
                         * @description Names of tags, in the order in which they were given
                         * @example [
                         *       "spring",
                         *       "print"
                         *     ]
                         */
                        tags: string[];
                        /** @description Name for people who work with the link. Visitors do not see it */
                        title: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was last changed
                         */
                        updated_at: string;
                        /** @description The full short URL */
                        url: string;
                        /** @description UTM campaign; takes precedence over the campaign */
                        utm_campaign: string | null;
                        /** @description UTM content; takes precedence over the campaign */
                        utm_content: string | null;
                        /** @description UTM medium; takes precedence over the campaign */
                        utm_medium: string | null;
                        /** @description UTM source; takes precedence over the campaign */
                        utm_source: string | null;
                        /** @description UTM term; takes precedence over the campaign */
                        utm_term: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "link.blocked";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLinkCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "link.created";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: date-time
                         * @description When the link begins to work. Before that, visitors see the page for a link that does not exist
                         */
                        active_from: string | null;
                        /** @description Other addresses that lead to the link */
                        aliases: {
                            /** @description The environment's link host, or a verified domain of it */
                            host: string;
                            /** @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed */
                            path: string;
                        }[];
                        /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
                        allow_param_passthrough: boolean;
                        /** @description Whether the link is left out of lists by default. It keeps working */
                        archived: boolean;
                        /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                        campaign: string | null;
                        /** @description Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination. */
                        card: {
                            /** @description Description */
                            description: string | null;
                            /** @description Image: https */
                            image_url: string | null;
                            /** @description Title; null shows the name of the project */
                            title: string | null;
                        } | null;
                        /** @description Notes for people who work with the link. Visitors and apps do not see them */
                        comments: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was made
                         */
                        created_at: string;
                        created_by?: string | null;
                        /** @description Custom JSON delivered to the app */
                        data: {
                            [key: string]: unknown;
                        } | null;
                        /**
                         * @description In-app route
                         * @example /product/42
                         */
                        deep_link_path: string;
                        destinations: components["schemas"]["Destinations"];
                        /** @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link */
                        domain: string | null;
                        /**
                         * @description Environment of the link
                         * @enum {unknown}
                         */
                        environment: "test" | "live";
                        /**
                         * Format: date-time
                         * @description When the link stops working
                         */
                        expires_at: string | null;
                        /**
                         * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2). They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database.
                         * @example {
                         *       "DE": "https://example.de/"
                         *     }
                         */
                        geo: {
                            [key: string]: string;
                        } | null;
                        /** @description Whether visitors are asked for a password */
                        has_password: boolean;
                        /** @description Id of the link, lnk_... */
                        id: string;
                        /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
                        interstitial: boolean | null;
                        /** @description How many clicks the link accepts. After that it has expired */
                        max_clicks: number | null;
                        /** @description Path on the link host */
                        path: string;
                        /**
                         * @description State of the link when the event was made
                         * @enum {unknown}
                         */
                        status: "active" | "scheduled" | "disabled" | "blocked" | "expired";
                        /**
                         * @description Names of tags, in the order in which they were given
                         * @example [
                         *       "spring",
                         *       "print"
                         *     ]
                         */
                        tags: string[];
                        /** @description Name for people who work with the link. Visitors do not see it */
                        title: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was last changed
                         */
                        updated_at: string;
                        /** @description The full short URL */
                        url: string;
                        /** @description UTM campaign; takes precedence over the campaign */
                        utm_campaign: string | null;
                        /** @description UTM content; takes precedence over the campaign */
                        utm_content: string | null;
                        /** @description UTM medium; takes precedence over the campaign */
                        utm_medium: string | null;
                        /** @description UTM source; takes precedence over the campaign */
                        utm_source: string | null;
                        /** @description UTM term; takes precedence over the campaign */
                        utm_term: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "link.created";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLinkDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "link.disabled";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: date-time
                         * @description When the link begins to work. Before that, visitors see the page for a link that does not exist
                         */
                        active_from: string | null;
                        /** @description Other addresses that lead to the link */
                        aliases: {
                            /** @description The environment's link host, or a verified domain of it */
                            host: string;
                            /** @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed */
                            path: string;
                        }[];
                        /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
                        allow_param_passthrough: boolean;
                        /** @description Whether the link is left out of lists by default. It keeps working */
                        archived: boolean;
                        /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                        campaign: string | null;
                        /** @description Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination. */
                        card: {
                            /** @description Description */
                            description: string | null;
                            /** @description Image: https */
                            image_url: string | null;
                            /** @description Title; null shows the name of the project */
                            title: string | null;
                        } | null;
                        /** @description Notes for people who work with the link. Visitors and apps do not see them */
                        comments: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was made
                         */
                        created_at: string;
                        created_by?: string | null;
                        /** @description Custom JSON delivered to the app */
                        data: {
                            [key: string]: unknown;
                        } | null;
                        /**
                         * @description In-app route
                         * @example /product/42
                         */
                        deep_link_path: string;
                        destinations: components["schemas"]["Destinations"];
                        /** @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link */
                        domain: string | null;
                        /**
                         * @description Environment of the link
                         * @enum {unknown}
                         */
                        environment: "test" | "live";
                        /**
                         * Format: date-time
                         * @description When the link stops working
                         */
                        expires_at: string | null;
                        /**
                         * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2). They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database.
                         * @example {
                         *       "DE": "https://example.de/"
                         *     }
                         */
                        geo: {
                            [key: string]: string;
                        } | null;
                        /** @description Whether visitors are asked for a password */
                        has_password: boolean;
                        /** @description Id of the link, lnk_... */
                        id: string;
                        /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
                        interstitial: boolean | null;
                        /** @description How many clicks the link accepts. After that it has expired */
                        max_clicks: number | null;
                        /** @description Path on the link host */
                        path: string;
                        /**
                         * @description Why the link no longer works
                         * @enum {unknown}
                         */
                        reason: "disabled" | "deleted" | "expired";
                        /**
                         * @description State of the link when the event was made
                         * @enum {unknown}
                         */
                        status: "active" | "scheduled" | "disabled" | "blocked" | "expired";
                        /**
                         * @description Names of tags, in the order in which they were given
                         * @example [
                         *       "spring",
                         *       "print"
                         *     ]
                         */
                        tags: string[];
                        /** @description Name for people who work with the link. Visitors do not see it */
                        title: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was last changed
                         */
                        updated_at: string;
                        /** @description The full short URL */
                        url: string;
                        /** @description UTM campaign; takes precedence over the campaign */
                        utm_campaign: string | null;
                        /** @description UTM content; takes precedence over the campaign */
                        utm_content: string | null;
                        /** @description UTM medium; takes precedence over the campaign */
                        utm_medium: string | null;
                        /** @description UTM source; takes precedence over the campaign */
                        utm_source: string | null;
                        /** @description UTM term; takes precedence over the campaign */
                        utm_term: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "link.disabled";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLinkUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "link.updated";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: date-time
                         * @description When the link begins to work. Before that, visitors see the page for a link that does not exist
                         */
                        active_from: string | null;
                        /** @description Other addresses that lead to the link */
                        aliases: {
                            /** @description The environment's link host, or a verified domain of it */
                            host: string;
                            /** @description Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed */
                            path: string;
                        }[];
                        /** @description Whether query parameters of the short URL are stored with the click and passed to the destination and the app */
                        allow_param_passthrough: boolean;
                        /** @description Whether the link is left out of lists by default. It keeps working */
                        archived: boolean;
                        /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                        campaign: string | null;
                        /** @description Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination. */
                        card: {
                            /** @description Description */
                            description: string | null;
                            /** @description Image: https */
                            image_url: string | null;
                            /** @description Title; null shows the name of the project */
                            title: string | null;
                        } | null;
                        /** @description Names of the fields whose value the change altered */
                        changed_fields: string[];
                        /** @description Notes for people who work with the link. Visitors and apps do not see them */
                        comments: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was made
                         */
                        created_at: string;
                        created_by?: string | null;
                        /** @description Custom JSON delivered to the app */
                        data: {
                            [key: string]: unknown;
                        } | null;
                        /**
                         * @description In-app route
                         * @example /product/42
                         */
                        deep_link_path: string;
                        destinations: components["schemas"]["Destinations"];
                        /** @description Custom host of the `url`. It is used while it is a verified domain of the environment, and also as long as the address of the link on the link host is an alias of another link */
                        domain: string | null;
                        /**
                         * @description Environment of the link
                         * @enum {unknown}
                         */
                        environment: "test" | "live";
                        /**
                         * Format: date-time
                         * @description When the link stops working
                         */
                        expires_at: string | null;
                        /**
                         * @description Destinations of visitors in a browser by country code (ISO 3166-1 alpha-2). They replace the destinations `web`, `desktop` and `fallback`; `ios` and `android` stay as they are. The country comes from a trusted proxy or from the operator’s IP address database.
                         * @example {
                         *       "DE": "https://example.de/"
                         *     }
                         */
                        geo: {
                            [key: string]: string;
                        } | null;
                        /** @description Whether visitors are asked for a password */
                        has_password: boolean;
                        /** @description Id of the link, lnk_... */
                        id: string;
                        /** @description Whether phones are sent to the page that opens the app; null: as set for the environment */
                        interstitial: boolean | null;
                        /** @description How many clicks the link accepts. After that it has expired */
                        max_clicks: number | null;
                        /** @description Path on the link host */
                        path: string;
                        /**
                         * @description State of the link when the event was made
                         * @enum {unknown}
                         */
                        status: "active" | "scheduled" | "disabled" | "blocked" | "expired";
                        /**
                         * @description Names of tags, in the order in which they were given
                         * @example [
                         *       "spring",
                         *       "print"
                         *     ]
                         */
                        tags: string[];
                        /** @description Name for people who work with the link. Visitors do not see it */
                        title: string | null;
                        /**
                         * Format: date-time
                         * @description When the link was last changed
                         */
                        updated_at: string;
                        /** @description The full short URL */
                        url: string;
                        /** @description UTM campaign; takes precedence over the campaign */
                        utm_campaign: string | null;
                        /** @description UTM content; takes precedence over the campaign */
                        utm_content: string | null;
                        /** @description UTM medium; takes precedence over the campaign */
                        utm_medium: string | null;
                        /** @description UTM source; takes precedence over the campaign */
                        utm_source: string | null;
                        /** @description UTM term; takes precedence over the campaign */
                        utm_term: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "link.updated";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOpenReengaged: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of this attempt */
                "X-Service-Delivery": string;
                /** @description Type of the event */
                "X-Service-Event": "open.reengaged";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the event was made
                     */
                    created_at: string;
                    data: {
                        /**
                         * @description How the open counts
                         * @constant
                         */
                        attribution: "reengaged";
                        click_id: string | null;
                        data: {
                            [key: string]: unknown;
                        } | null;
                        deep_link_path: string | null;
                        /** @description Whether the match is certain */
                        guaranteed: boolean;
                        /** @description Id the app gave its installation */
                        install_id: string;
                        item_id: string | null;
                        link_id: string | null;
                        match_type: ("opened_url" | "play_referrer" | "clipboard" | "probabilistic") | null;
                        /** @description Facts that are the same in the click and the open */
                        matched_factors: string[];
                        /**
                         * Format: date-time
                         * @description When the app was opened
                         */
                        occurred_at: string;
                        params: {
                            [key: string]: string;
                        } | null;
                        /**
                         * @description Platform of the device
                         * @enum {unknown}
                         */
                        platform: "ios" | "android" | "other";
                        reason: string | null;
                        resource_type: string | null;
                    };
                    /**
                     * @description Environment the event belongs to
                     * @enum {unknown}
                     */
                    environment: "test" | "live";
                    /** @description Id of the event, evt_...; the same for every attempt and replay: deduplicate on it */
                    id: string;
                    /**
                     * @description Present only on sample events of the test operation
                     * @constant
                     */
                    test?: true;
                    /**
                     * @description Type of the event
                     * @constant
                     */
                    type: "open.reengaged";
                };
            };
        };
        responses: {
            /** @description The event was accepted. Any other response counts as a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
