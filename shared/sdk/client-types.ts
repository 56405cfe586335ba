/** Written by: npm run openapi. Made of 556c099ad61e47ba35132ffdbb4d4dc7d855279a3e3cd8892f8b77f0d2123758. */
export interface paths {
    "/sdk/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store an event that happened in the app
         * @description As `POST /events`, with `source` `sdk`. An event counts for the link of its installation only once the first open has been answered, so send it after that. A browser may call this only from a web origin of the environment: any other `Origin` is 403 `origin_not_allowed`. A preflight request carries no key and is allowed for every origin. A request without `Origin` comes from an app and is allowed. Requests are limited per address (IPv6: per /64), not per key.
         */
        post: operations["trackSdkEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link from an app
         * @description The path is generated, the host is the environment's link host, and the link leads to the environment's default destinations. No field of the request decides where it leads. A browser may call this only from a web origin of the environment: any other `Origin` is 403 `origin_not_allowed`. A preflight request carries no key and is allowed for every origin. A request without `Origin` comes from an app and is allowed. Requests are limited per address (IPv6: per /64), not per key.
         */
        post: operations["createSdkLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/opens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that the app was opened
         * @description A first open is matched in this order: `opened_url`; the click that `play_referrer` names (unused, at most 90 days old); the click that `clipboard` names (unused, at most 2 hours old); then the clicks by people on the same platform within the environment's `attribution_window_minutes`, unused, from the same address (IPv6: the same /64) **and** with the same major and minor version of the system. Several clicks of one visitor on one link count as one, the newest. Exactly one click must remain: if there are several, they are told apart by language, screen and model, as far as both the click and the app name them. Private, shared (100.64.0.0/10) and relay addresses (iCloud Private Relay) never match. The click is used up in the transaction that stores the installation, and `install.attributed` or `install.organic` is emitted in it. `reason` is always given. `guaranteed` means that a click which the app or the URL named was used up. First opens with a URL but without a click to use up are limited to 600 per minute and address, unless the server is configured otherwise; more are 429. A click whose id is in the URL is used up if it was a click on what the URL leads to.
         *
         *     An installation has one first open: a call that repeats it returns the first response again, whatever its other fields are, and has no effect. Any other open through a link returns `reengaged` and emits `open.reengaged`; one without a link is `organic` with the reason `no_link` and emits nothing.
         *
         *     Chrome and web views on Android do not send their version with a first visit, and an iPad in desktop mode identifies itself as a Mac. The page that opens the app reports what these requests lack: the version and the model of an Android device, over HTTPS, and whether a Mac is an iPad, if the link has no destination for a desktop. If no such page is shown, these clicks match only by URL, referrer or clipboard. So do the clicks of most web views on iOS 26 and later, which do not reveal its version.
         *
         *     A click reaches the log within about a second. An open that names a younger click waits for it, for up to 2 seconds. An open without a matching click waits up to half a second before it is `organic`.
         *
         *     The app gets the present values of the link or template, with the parameters of the click. This is so even if the link has expired since the click. If the link has been disabled, blocked or deleted since, the open is still attributed and counts for the link, but there is nothing to show. The same goes for a URL that carries the id of such a click; without one, a URL that leads nowhere matches nothing. A browser may call this only from a web origin of the environment: any other `Origin` is 403 `origin_not_allowed`. A preflight request carries no key and is allowed for every origin. A request without `Origin` comes from an app and is allowed. Requests are limited per address (IPv6: per /64), not per key.
         */
        post: operations["recordSdkOpen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a URL that opened the app
         * @description Returns what the app should show for a link or for an item of a URL template, from the same code that serves visitors. Nothing is counted. The response is 404 if the URL has another host, belongs to nothing, or belongs to a link or template that leads nowhere now; `detail` says why. A browser may call this only from a web origin of the environment: any other `Origin` is 403 `origin_not_allowed`. A preflight request carries no key and is allowed for every origin. A request without `Origin` comes from an app and is allowed. Requests are limited per address (IPv6: per /64), not per key.
         */
        post: operations["resolveSdkUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        /** @description A link to create. Its path is generated, and it leads to the default destinations */
        SdkLinkCreate: {
            /**
             * Format: plain-text
             * @description Key of a campaign of the environment. Its UTM fields are the defaults
             */
            campaign?: string | null;
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
        };
        /** @description An app was opened */
        SdkOpen: {
            /** @description Text of the clipboard, if the user let the app read it. The page that opens the app puts a token there */
            clipboard?: string | null;
            /** @description What the app knows of its device */
            device: {
                /**
                 * Format: plain-text
                 * @description Preferred language as a BCP 47 tag, such as `de-DE`
                 */
                language?: string | null;
                /**
                 * Format: plain-text
                 * @description Model as the system calls it, such as `iPhone15,2` or `Pixel 8`
                 */
                model?: string | null;
                /**
                 * @description Operating system; iPadOS is `ios`
                 * @enum {string}
                 */
                os: "ios" | "android" | "other";
                /**
                 * Format: plain-text
                 * @description Version of the operating system, such as `17.5.1`
                 */
                os_version?: string | null;
                /**
                 * Format: plain-text
                 * @description Screen in physical pixels, such as `1179x2556`
                 */
                screen?: string | null;
                /**
                 * Format: plain-text
                 * @description IANA time zone, such as `Europe/Berlin`
                 */
                timezone?: string | null;
            };
            /** @description Whether the installation has never been opened before */
            first_open: boolean;
            /**
             * Format: plain-text
             * @description Id of the installation, chosen by the app once and kept
             */
            install_id: string;
            /**
             * Format: plain-text
             * @description URL that the system opened the app with
             * @example https://go.example.com/spring?ref=mail
             */
            opened_url?: string | null;
            /**
             * Format: plain-text
             * @description What the Play Install Referrer library returned, unchanged
             * @example click_id=clk_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            play_referrer?: string | null;
        };
        /** @description Where an open came from, and what to show */
        SdkOpenResult: {
            /**
             * @description `attributed`: a first open that was matched. `reengaged`: a later open of an installation, through a link. `organic`: neither
             * @enum {string}
             */
            attribution: "attributed" | "organic" | "reengaged";
            /**
             * @description Id of the click
             * @example clk_01jd4v6xq8e5s0m3k7n9p2r4tw
             */
            click_id: string | null;
            /** @description Custom JSON of the link or template */
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * @description In-app route to show
             * @example /product/42
             */
            deep_link_path: string | null;
            /** @description Whether the match is certain, which means that a click named by the app or its URL was used up. A `probabilistic` match is not certain, and neither is a URL without such a click */
            guaranteed: boolean;
            /** @description The link; null if it is not a link */
            link: {
                /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                campaign: string | null;
                /**
                 * @description Id of the link
                 * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                 */
                id: string;
                /**
                 * @description Path on the link host
                 * @example spring
                 */
                path: string;
                /**
                 * Format: uri
                 * @description The full short URL
                 * @example https://go.example.com/spring
                 */
                url: string;
            } | null;
            /**
             * @description The rule that matched
             * @enum {string|null}
             */
            match_type: "opened_url" | "play_referrer" | "clipboard" | "probabilistic" | null;
            /**
             * @description Facts that are the same in the click and the open
             * @example [
             *       "address",
             *       "os_version"
             *     ]
             */
            matched_factors: string[];
            /** @description Query parameters that the short URL passes on; if a name repeats, its first value */
            params: {
                [key: string]: string;
            } | null;
            /**
             * @description `matched`: The rule in `match_type` matched. `ambiguous`: More than one click from this network and system matches, and nothing distinguishes them. `click_used`: The click that the referrer or the clipboard names was matched to another installation. `click_expired`: The click that the referrer or the clipboard names is too old. Its id contains its time, so an old id that was never issued is also too old. `click_unknown`: The referrer or the clipboard names no click of this environment that could lead to an installation. A click that a later open has used is not known any more either. `address_not_matchable`: The address is private, or shared by a carrier or a relay, so it cannot be used for a match. `os_version_unknown`: The system is not iOS or Android, or its version was not given. `no_candidate`: No unused click matches. `no_link`: It is not a first open, and the app was not opened through a link of this environment.
             * @enum {string}
             */
            reason: "matched" | "ambiguous" | "click_used" | "click_expired" | "click_unknown" | "address_not_matchable" | "os_version_unknown" | "no_candidate" | "no_link";
            /** @description The item of a URL template; null if it is not one */
            resource: {
                /**
                 * @description The item, decoded from the URL
                 * @example 42
                 */
                id: string;
                /**
                 * @description Key of the resource type
                 * @example product
                 */
                resource_type: string;
                /**
                 * @description Id of the URL template
                 * @example tpl_01jd4v6xq8e5s0m3k7n9p2r4tw
                 */
                template_id: string;
            } | null;
        };
        /** @description A URL that opened the app */
        SdkResolve: {
            /**
             * Format: plain-text
             * @description The URL that opened the app, as the system passed it on
             * @example https://go.example.com/spring?ref=mail
             */
            url: string;
        };
        /** @description The link or item of a URL */
        SdkResolved: {
            /** @description Custom JSON of the link or template */
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * @description In-app route to show
             * @example /product/42
             */
            deep_link_path: string;
            /** @description The link; null if it is not a link */
            link: {
                /** @description Key of a campaign of the environment. Its UTM fields are the defaults */
                campaign: string | null;
                /**
                 * @description Id of the link
                 * @example lnk_01jd4v6xq8e5s0m3k7n9p2r4tw
                 */
                id: string;
                /**
                 * @description Path on the link host
                 * @example spring
                 */
                path: string;
                /**
                 * Format: uri
                 * @description The full short URL
                 * @example https://go.example.com/spring
                 */
                url: string;
            } | null;
            /** @description Query parameters that the short URL passes on; if a name repeats, its first value */
            params: {
                [key: string]: string;
            } | null;
            /** @description The item of a URL template; null if it is not one */
            resource: {
                /**
                 * @description The item, decoded from the URL
                 * @example 42
                 */
                id: string;
                /**
                 * @description Key of the resource type
                 * @example product
                 */
                resource_type: string;
                /**
                 * @description Id of the URL template
                 * @example tpl_01jd4v6xq8e5s0m3k7n9p2r4tw
                 */
                template_id: string;
            } | null;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    trackSdkEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
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
    createSdkLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SdkLinkCreate"];
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
    recordSdkOpen: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SdkOpen"];
            };
        };
        responses: {
            /** @description Where the open came from, and what to show */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SdkOpenResult"];
                };
            };
        };
    };
    resolveSdkUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB; a body of more than 16 KiB may have 5,000 values, at every depth together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SdkResolve"];
            };
        };
        responses: {
            /** @description The link or item of the URL */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SdkResolved"];
                };
            };
        };
    };
}
