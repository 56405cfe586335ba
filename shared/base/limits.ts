/** Every bound of the service that is not a setting, in one place, each with its reason. Units are part of the name. */

/** Contract: a request body on the control plane (bulk calls have their own). */
export const BODY_BYTES_MAX = 1024 * 1024;
export const BULK_BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Contract: a request body of an app. An app's key is public, and the most that an app has to send is 4 KiB of data and two URLs. */
export const SDK_BODY_BYTES_MAX = 64 * 1024;

/** Connections to the API that one address may have open at once: at 64 KiB read from each, they take half of what a flood may take. */
export const CONNECTIONS_OF_ADDRESS_MAX = 500;

/**
 * Bodies that one process reads at once. They bound what clients that send half a body and wait can make it hold. A bulk call of a server
 * takes 8 MiB, so a key may have two of them under way; an address may have sixteen of an app's largest bodies, or a thousand usual ones.
 */
export const SERVER_BODIES_BYTES_MAX = 24 * 1024 * 1024;
export const SERVER_BODIES_OF_KEY_BYTES_MAX = 16 * 1024 * 1024;
export const APP_BODIES_BYTES_MAX = 8 * 1024 * 1024;
export const APP_BODIES_OF_ADDRESS_BYTES_MAX = 1024 * 1024;

/**
 * A bulk call with a larger body is processed in a thread. One of 16 KiB takes the event loop 9 ms, and a thousand empty links, which are
 * 3 KB, take it 26 ms; one of 8 MiB would take it 600 ms. A smaller call does not wait behind those of others.
 */
export const LARGE_CALL_BYTES_MIN = 16 * 1024;

/**
 * Bodies of large calls that wait for that thread or are processed by it: four of the largest of one key, and two keys that send as many
 * as they can. Each counts as at least one mebibyte, because a thousand links take their time however small they are.
 */
export const LARGE_CALLS_BYTES_MAX = 64 * 1024 * 1024;
export const LARGE_CALLS_OF_KEY_BYTES_MAX = 32 * 1024 * 1024;
export const LARGE_CALL_COUNTED_BYTES_MIN = 1024 * 1024;

/**
 * Large calls under way at once, each with a connection to PostgreSQL: while one waits for PostgreSQL, the thread works on another. A
 * body of 8 MiB and what is made from it take some 100 MB of memory.
 */
export const LARGE_CALLS_AT_ONCE = 2;

/** A thread that is idle for this long ends and frees its memory, 25 to 40 MB at rest. Starting one takes 0.3 to 1 s on a busy machine. */
export const THREAD_IDLE_MS = 60_000;

/** Contract: open streams of clicks in one control plane (up to 1 MB of memory each) and with one key, and how long a stream may last. */
export const CLICK_STREAMS_MAX = 100;
export const CLICK_STREAMS_OF_KEY_MAX = 10;
export const CLICK_STREAM_AGE_MS_MAX = 900_000;

/** Contract: page sizes of list endpoints. */
export const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;

/** Contract: fields of a link. */
export const PATH_CHARACTERS_MAX = 64;
export const GENERATED_PATH_CHARACTERS = 7;
export const DATA_BYTES_MAX = 4096;
export const DATA_KEY_CHARACTERS_MAX = 64;
export const DESTINATION_CHARACTERS_MAX = 2048;
/**
 * Host names that are read at all. One that DNS can hold is shorter in every spelling. The time that it takes to convert an international
 * name to ASCII grows with the square of its length.
 */
export const HOST_TEXT_CHARACTERS_MAX = 512;
export const DEEP_LINK_PATH_CHARACTERS_MAX = 2048;
export const UTM_CHARACTERS_MAX = 255;
export const COMMENTS_CHARACTERS_MAX = 500;
export const MAX_CLICKS_MAX = 1_000_000_000;
export const PASSWORD_CHARACTERS_MAX = 128;
/** Countries of `geo`, and the total length of their destinations: a record of the link index has 64 KiB for all texts of a link. */
export const GEO_COUNTRIES_MAX = 50;
export const GEO_CHARACTERS_MAX = 16_384;
/** Visitors of links with `max_clicks` who may wait for their click at the same time, and how long each of them waits. */
export const CLICK_LIMIT_WAITING_MAX = 10_000;
export const CLICK_LIMIT_DEADLINE_MS = 2000;
/** Passwords waiting in one process, compared in turn for 100 to 200 ms each; and wrong ones from an address for a link in a minute. */
export const PASSWORDS_WAITING_MAX = 16;
export const PASSWORD_TRIES_OF_MINUTE = 10;
/** Hashing each takes 60 to 200 ms of a core. */
export const PASSWORDS_OF_BULK_MAX = 20;
export const LINK_TITLE_CHARACTERS_MAX = 200;
export const TAGS_OF_LINK_MAX = 20;
export const ALIASES_OF_LINK_MAX = 20;
export const ALIAS_PATH_CHARACTERS_MAX = 512;
/** Of the normal form, where a character outside ASCII takes up to 12 bytes: a key of LMDB, including the host, is shorter than 2 KB. */
export const ALIAS_PATH_BYTES_MAX = 1536;
export const TAG_CHARACTERS_MAX = 64;
export const BULK_LINKS_MAX = 1000;

/** Contract: an import call. Half the rows of a bulk call, because a row may take two tries; each host of the old service has a pair. */
export const IMPORT_ROWS_MAX = 500;
export const IMPORT_COLUMNS_MAX = 200;
export const IMPORT_CELL_CHARACTERS_MAX = 32 * 1024;
export const IMPORT_DOMAINS_MAX = 50;

/** Deliveries of an endpoint that a look at the queue counts: a backlog of clicks can contain a million, and a count walks them all. */
export const HEALTH_QUEUE_COUNT_MAX = 1000;

/** The reason in an engine's row why a part of it fails: a sentence, perhaps followed by a driver's error. */
export const ENGINE_REASON_BYTES_MAX = 500;

/** Contract: the path of a deleted link stays reserved this long. */
export const PATH_RESERVATION_DAYS = 90;

/** Contract: passthrough parameters. Beyond either bound the whole query is dropped and the click says so. */
export const PASSTHROUGH_BYTES_MAX = 2048;
export const PASSTHROUGH_PARAMETERS_MAX = 50;

/** Contract: webhooks. */
export const WEBHOOK_ENDPOINTS_MAX = 20;
export const WEBHOOK_ATTEMPTS_MAX = 8;
export const WEBHOOK_TIMEOUT_MS = 10_000;
export const WEBHOOK_LOGGED_BYTES_MAX = 2048;
/** An answer is read up to this size, so that its connection can be kept. A receiver that sends more is cut off. */
export const WEBHOOK_READ_BYTES_MAX = 64 * 1024;
/** Origins whose TLS session a client caches to resume it: some 2 KB each, and as many as the connections that it keeps open. */
export const TLS_SESSIONS_MAX = 1024;
export const WEBHOOK_AUTO_DISABLE_HOURS = 72;
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
/**
 * Deliveries of `click.created` that may wait for one endpoint, and how long they may. Other events come as fast as somebody makes them
 * and are kept whatever happens; clicks come as fast as visitors do, and a receiver that is slower than they are would fill the disk. The
 * number is half a minute of what one host delivers at its fastest, some 100 MB of queue and events; the time is longer than most
 * outages. What is dropped is counted at the endpoint.
 */
export const WEBHOOK_BACKLOG_MAX = 100_000;
export const WEBHOOK_BACKLOG_HOURS = 24;
export const DELIVERY_LOG_DAYS = 30;
/** An event may be replayed on the last day of its first delivery's log entry, and the replay is logged for the same time again. */
export const EVENT_LOG_DAYS = 2 * DELIVERY_LOG_DAYS + 2;
export const DELIVERY_WINDOW_DEFAULT_DAYS = 7;
/** Events that one call replays: as many rows as one statement writes within some tens of milliseconds. */
export const REPLAYED_EVENTS_MAX = 1_000;

/** Contract: an idempotency key is remembered this long. */
export const IDEMPOTENCY_HOURS = 24;

/** The feed keeps this many rows behind its head; an engine that is further behind bootstraps, which is then faster than replaying. */
export const FEED_ROWS_KEPT = 1_000_000;

/** Hosts that copy all links of a database at once. Each keeps a core of PostgreSQL busy; with two, a slow one does not delay the rest. */
export const BOOTSTRAPS_MAX = 2;

/**
 * The deadline for the read-through of a path that is not replicated yet: no visitor waits longer for PostgreSQL than this. It answers in
 * a millisecond, and a visitor of a link that the host knows, or while PostgreSQL is away, does not wait at all. The deadline is for a
 * PostgreSQL that is up but slow, where giving up means a 404 for a link that may exist. With 50 ms, 10,000 links created on a machine
 * with six times the load that it has cores for had some dozens of those; with 500 ms none. A PostgreSQL that is up but hangs would cost
 * every visitor of an unknown path as much. So after a visit has waited in vain, the next ones wait for the short deadline until
 * PostgreSQL has answered again.
 */
export const READ_THROUGH_DEADLINE_MS = 500;
export const READ_THROUGH_SHORT_DEADLINE_MS = 50;

/**
 * A process looks up unknown paths in batches: one statement for all that wait, at most this many, and one statement in this many
 * milliseconds. That is far more paths than a process can serve visitors, so that somebody who tries out paths cannot crowd out the
 * visitors of a new link. See shared/decisions.
 */
export const READ_THROUGH_WAITING_MAX = 1024;
export const READ_THROUGH_ROUND_MS = 20;

/** Links that the read-through found and caches, and for how long. A link is replicated within some milliseconds. */
export const READ_THROUGH_REMEMBERED_MAX = 10_000;
export const READ_THROUGH_REMEMBERED_MS = 1000;

/** One file of the link index, which has as many as it needs: what a Buffer spans in every supported Node.js, some 15 million links. */
export const LINK_INDEX_FILE_BYTES_MAX = 4 * 1024 ** 3 - 65_536;

/** A drain ends by itself after this time, whatever clients do (promise R5). */
export const DRAIN_DEADLINE_MS = 12_000;

/** Contract: resource types. The limit counts those that are not archived. */
export const RESOURCE_TYPES_MAX = 20;
export const RESOURCE_TYPE_KEY_CHARACTERS_MAX = 64;
export const RESOURCE_TYPE_NAME_CHARACTERS_MAX = 200;

/** Contract: URL templates. The limit counts those that are not archived, for each resource type. */
export const URL_TEMPLATES_MAX = 5;
/** Lists of an environment. They are part of files and answers of every link host, so they stay small. */
export const APPS_MAX = 20;
export const FINGERPRINTS_MAX = 20;
export const WEB_ORIGINS_MAX = 100;

/** Contract: minutes after a click in which a first open may be matched to it. */
export const ATTRIBUTION_WINDOW_MINUTES_MAX = 10_080;

/** Tags of an environment. People choose from them, which they could not do if there was one for each link. */
export const TAGS_MAX = 10_000;

/** Text that links are searched for. */
export const SEARCH_CHARACTERS_MAX = 200;

/** Custom hosts of an environment. Each is looked up in DNS again and again, and is in the table of every link host. */
export const DOMAINS_MAX = 100;

/** Tracked events. An app chooses the ids of its installations. */
export const EVENT_NAME_CHARACTERS_MAX = 128;
export const INSTALL_ID_CHARACTERS_MAX = 128;
/** A server's clock may be ahead of ours by this much. */
export const EVENT_AHEAD_MS_MAX = 5 * 60_000;

/** Contract: how long a click can be matched by a client that names it. Play provides a referrer for 90 days. */
export const PLAY_REFERRER_DAYS = 90;
export const CLIPBOARD_TOKEN_MINUTES = 120;

/**
 * Open clicks of one network and system that a first open looks at. A household or an office has a handful in a window. More than that
 * come from a carrier or a relay, where no unique match can be expected; the bound limits what is read.
 */
export const CANDIDATE_CLICKS_MAX = 20;
/** The same if all of them are clicks of one visitor on one link, who may be trying it out. */
export const CANDIDATE_CLICKS_OF_VISIT_MAX = 500;

/**
 * A first open may come before its click: a click is shipped some 100 ms after it was answered, on a busy host after a second. An open
 * that names a click this young waits for it up to the first time. For a click that may exist, an open waits up to `ANY_CLICK_WAIT_MS`,
 * which a person without a click waits once. A process has this many waits at once, and those of each environment are limited too.
 */
export const NAMED_CLICK_WAIT_MS = 2000;
export const NAMED_CLICK_YOUNG_MS = 30_000;
export const NAMED_CLICK_WAITS_MAX = 200;
export const NAMED_CLICK_WAITS_OF_ENVIRONMENT_MAX = 50;
export const ANY_CLICK_WAIT_MS = 500;
export const CLICK_POLL_MS = 100;

/** Texts that an app sends with an open. Google Play cuts a referrer off long before; a clipboard may contain anything. */
export const PLAY_REFERRER_CHARACTERS_MAX = 4096;
export const CLIPBOARD_CHARACTERS_MAX = 4096;
export const DEVICE_FACT_CHARACTERS_MAX = 128;

/** Addresses whose requests to `/sdk/*` one process counts, 100 bytes each. Beyond that, the address counted longest is forgotten. */
export const RATE_WINDOWS_MAX = 100_000;

/**
 * Unknown keys that one address may try in a minute. A client with a wrong key tries one; a client that tries more is guessing. Until its
 * minute is over, keys that the process has not seen yet are refused from that address too, which may be a company's. Ten queries a
 * second cost PostgreSQL next to nothing.
 */
export const UNKNOWN_KEYS_PER_MINUTE = 600;

/** Networks of relays in one file: Apple's list has 280,000. */
export const RELAY_RANGES_MAX = 2_000_000;

export const PATTERN_CHARACTERS_MAX = 255;
export const PATTERN_SEGMENTS_MIN = 2;
export const PATTERN_SEGMENTS_MAX = 8;
export const ITEM_ID_CHARACTERS_MAX = 256;

/** A charset lists characters and is not a dictionary: every plane of Unicode fits into a few ranges. */
export const CHARSET_CHARACTERS_MAX = 256;

/** A rendered URL has to fit into the request line that common servers accept (8 KiB in nginx, Apache and Node.js). */
export const RENDERED_URL_CHARACTERS_MAX = 8192;

/** A template's `data` may contain many placeholders; the object that an app receives stays at four times what a link may carry. */
export const RENDERED_DATA_BYTES_MAX = 4 * DATA_BYTES_MAX;

/** How much of a user agent is read. Every rule decides within it; more would only slow matching down and enlarge the verdict cache. */
export const USER_AGENT_CHARACTERS_MAX = 1024;
export const REFERRER_CHARACTERS_MAX = 2048;

/** User agents whose verdict a redirect process caches, in each of two generations: at 1 KiB a text, 8 MiB at most. */
export const VERDICTS_MAX = 4096;

/** `Accept-Language` of a visitor: browsers send 10 languages at most. Anything beyond either bound is ignored. */
export const ACCEPT_LANGUAGE_CHARACTERS_MAX = 256;
export const ACCEPT_LANGUAGE_RANGES_MAX = 32;

/** Values of `Accept-Language` whose language a redirect process caches, in each of two generations: 256 KiB at most. */
export const LANGUAGES_MAX = 1024;

/**
 * How long the open page, and the way back through its button, belong to the click that led there. A visitor who comes later, or by a
 * shared address of the page, counts as a visit of its own. Half an hour is what web analytics call a visit.
 */
export const OPEN_PAGE_VISIT_MS = 30 * 60_000;

/** Request head of a visitor. Browsers send 1 to 2 KiB; cookies of a parent domain can add several more. */
export const VISIT_HEAD_BYTES_MAX = 16 * 1024;

/** Headers of a visitor's request: the bound that uWebSockets.js was compiled with. Browsers send some twenty. */
export const VISIT_HEADERS_MAX = 98;

/**
 * A body is read and discarded before it is refused: a connection that ends with bytes unread is reset, and the reset can destroy the
 * answer, without which a proxy considers the engine dead. This is as much as nginx passes on by default (1 MiB).
 */
export const REFUSED_BODY_BYTES_MAX = 1024 * 1024;

/** Time in which a refused body has to arrive. */
export const REFUSED_BODY_DEADLINE_MS = 5000;

/** Visitors of one process that may wait for a path's read-through at the same time. One more is answered 503 at once. */
export const PENDING_VISITS_MAX = 1024;

/** Files of the folder of certificates: a thousand certificates with their keys are a few MB in each process. */
export const CERTIFICATE_FILES_MAX = 2000;
/** A chain of four certificates with its key takes some 10 KiB. */
export const CERTIFICATE_FILE_BYTES_MAX = 256 * 1024;

/** Questions about hosts that may wait for a redirect process's answer. A TLS front end asks once for each certificate that it lacks. */
export const HOST_QUESTIONS_MAX = 1000;

/** Contract: metadata API. */
export const METADATA_ANSWER_BYTES_MAX = 256 * 1024;
/** A test shows this much of the answer: what a card is made from is near the beginning, or the mapping says where it is. */
export const METADATA_SHOWN_BYTES_MAX = 16 * 1024;
export const INVALIDATED_IDS_MAX = 1000;

/** How long an invalidated item stays marked. Every call that began before has ended long before then (a call takes 5 s at most). */
export const INVALIDATION_MARK_SECONDS = 600;

/** Figures are shown for 30 days of a project; two more cover every time zone. */
export const METADATA_FIGURES_DAYS = 32;
export const CLICK_FIGURES_DAYS = 32;

/** Figures that one statement of a request adds up. When measured, on two cores, they took some 2.8 of its five seconds. */
export const SUMMED_FIGURES_MAX = 2_500_000;

/**
 * Environments are counted in this many shards, by the last four bits of their number, and each shard by one counter at a time. A batch
 * of clicks waits once for each shard of which it has clicks.
 */
export const CLICK_SHARDS = 16;

/**
 * How long the click log remembers that a segment was completely stored, so that a file that comes back is not stored again. A file that
 * is a day younger than that is certainly remembered, although the clocks of a host and the database differ.
 */
export const STORED_SEGMENTS_REMEMBERED_MS = 7 * 86_400_000;
export const STORED_FILES_CERTAIN_MS = STORED_SEGMENTS_REMEMBERED_MS - 86_400_000;

/** Clicks counted in one transaction, if so many wait: a second of work, by which figures lag behind. With fewer, each costs more. */
export const COUNTED_CLICKS = 100_000;

/**
 * How much memory the visitors of the days that are being counted may take. The visitors of days that get no more clicks are evicted
 * first; what is needed again is read from the log.
 */
export const COUNTING_BYTES_MAX = 1024 ** 3;

/** Days with clicks of one link that an import accepts: ten years of one service. */
export const IMPORTED_CLICKS_OF_LINK_MAX = 3_660;
export const IMPORTED_CLICKS_SOURCE_CHARACTERS_MAX = 64;
/** Links whose clicks are added up in one transaction, during which no clicks are counted: some 600,000 figures, half a second. */
export const LINK_CLICKS_STEP_LINKS = 20_000;

/**
 * Items of one resource type that may wait for an answer at once. One more is answered at once with what is available. This is more than
 * ten times what an API may be asked for at the same time, so that waiting in the queue pays.
 */
export const PREVIEW_FETCHES_MAX = 1024;

/**
 * Items that one redirect process asks the host's caller for at the same time, and in a second. One more is answered at once with what is
 * available. Warm items need no request; a flood of cold ones is bounded by the API's limits anyway. Resource types share the places, and
 * one of them has at most half.
 */
export const PREVIEW_ASKS_MAX = 2048;
export const PREVIEW_ASKS_PER_SECOND = 5000;

/**
 * Preview bots of one process that may wait for an answer, at some kilobytes each. One more gets at once what is available. Resource types
 * share these places too.
 */
export const PREVIEW_WAITERS_MAX = 4096;

/** Size of the cache of cards that a redirect process has made, in each of two generations: some 2,000 cards of 6 KB with their answers. */
export const CARD_MEMORY_BYTES_MAX = 12 * 1024 * 1024;

/** Quarters of an hour whose figures may wait to be written: a week without the database. */
export const FIGURE_INTERVALS_MAX = 672;

/**
 * Size of the answers that a host keeps on disk, mapped into every process: at 1 KiB an answer some 100,000 items. PostgreSQL keeps those
 * that the host no longer does.
 */
export const ANSWER_STORE_BYTES_MAX = 128 * 1024 * 1024;

/** Contract: metadata API, cards. */
export const CARD_TITLE_CHARACTERS_MAX = 300;
export const CARD_DESCRIPTION_CHARACTERS_MAX = 1000;
export const CARD_URL_CHARACTERS_MAX = 2048;
/** How much of a value is read: more than any field holds. The credential is searched for in it, in time proportional to its length. */
export const METADATA_VALUE_CHARACTERS_READ = 8192;

/** Parts of a metadata API configuration. Each list is sent or searched on every call, and every engine process keeps it. */
export const METADATA_HEADERS_MAX = 20;
export const METADATA_HEADER_NAME_CHARACTERS_MAX = 64;
export const METADATA_HEADER_VALUE_CHARACTERS_MAX = 1024;
export const METADATA_SECRET_CHARACTERS_MAX = 4096;
export const FIELD_PATH_CHARACTERS_MAX = 255;
export const STATUS_VALUES_MAX = 50;
export const STATUS_VALUE_CHARACTERS_MAX = 100;
export const IMAGE_HOSTS_MAX = 50;
