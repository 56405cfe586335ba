-- The schema that the migrations of this folder make together. Written by: npm run schema:dump

CREATE EXTENSION pg_trgm;

CREATE TYPE public.click_dimension AS ENUM ('total', 'hour', 'platform', 'country', 'referrer', 'campaign', 'link', 'type', 'item', 'link_platform', 'link_country', 'link_referrer', 'campaign_platform', 'campaign_country', 'campaign_referrer', 'campaign_link');

CREATE OR REPLACE FUNCTION public.address_lock(environment_id text, path text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT hashtextextended('addresses/' || environment_id, hashtext(path) & 63)
$function$;

CREATE OR REPLACE FUNCTION public.count_new_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO link_clicks (link_id, environment_number, tag_numbers)
  SELECT made.id, environments.number, made.tag_numbers FROM made JOIN environments ON environments.id = made.environment_id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.drop_day_partitions(parent text, before date)
 RETURNS integer
 LANGUAGE plpgsql
 SET lock_timeout TO '2s'
AS $function$
DECLARE
  child text;
  dropped integer := 0;
BEGIN
  FOR child IN
    SELECT relation.relname
    FROM pg_inherits AS link
    JOIN pg_class AS relation ON relation.oid = link.inhrelid
    WHERE link.inhparent = to_regclass(parent) AND relation.relname ~ ('^' || parent || '_[0-9]{8}$')
      AND to_date(right(relation.relname, 8), 'YYYYMMDD') < before
    ORDER BY relation.relname
  LOOP
    EXECUTE format('DROP TABLE %I', child);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$function$;

CREATE OR REPLACE FUNCTION public.ensure_day_partition(parent text, day date)
 RETURNS void
 LANGUAGE plpgsql
 SET "TimeZone" TO 'UTC'
AS $function$
DECLARE
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  storage text := CASE parent
    WHEN 'webhook_deliveries' THEN ' WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)'
    WHEN 'click_figures' THEN ' WITH (fillfactor = 70)'
    WHEN 'click_breakdowns' THEN ' WITH (fillfactor = 50, toast_tuple_target = 8160)'
    ELSE ''
  END;
BEGIN
  IF to_regclass(child) IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('day_partitions:' || parent, 0));
  IF NOT EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = to_regclass(parent) AND relname = child
  ) THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
      child, parent, (day::timestamp AT TIME ZONE 'UTC'), ((day + 1)::timestamp AT TIME ZONE 'UTC')) || storage;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION public.feed_epoch()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT concat_ws(':', state.epoch, control.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    'config_feed'::regclass::oid, pg_relation_filenode('config_feed'))
  FROM config_feed_state AS state, pg_control_system() AS control
$function$;

CREATE OR REPLACE FUNCTION public.feed_removed_aliases()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO config_feed (kind, environment_id, object_id, object_key)
  SELECT 'alias', environment_id, id, host || '/' || normal_path FROM removed;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.find_click(click_id uuid, at timestamp with time zone, number integer)
 RETURNS TABLE(kind text, subject_id uuid, campaign text)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY EXECUTE 'SELECT kind, subject_id, campaign FROM clicks WHERE id = $1 AND occurred_at = $2 AND environment_number = $3 LIMIT 1'
    USING click_id, at, number;
END
$function$;

CREATE OR REPLACE FUNCTION public.find_logged_click(click_id uuid, at timestamp with time zone, number integer)
 RETURNS TABLE(kind text, subject_id uuid, campaign text, resource_type_id uuid, item_id text)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY EXECUTE 'SELECT kind, subject_id, campaign, resource_type_id, item_id FROM clicks
    WHERE id = $1 AND occurred_at = $2 AND environment_number = $3 LIMIT 1'
    USING click_id, at, number;
END
$function$;

CREATE OR REPLACE FUNCTION public.forget_summed_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE click_summed_days AS summed
  SET version = NULL, summed_at = NULL, due_at = greatest(summed.due_at, now() + interval '10 minutes')
  FROM (
    SELECT counted.environment_number, counted.day
    FROM stored
    JOIN click_summed_days AS counted ON counted.from_at <= stored.to_at AND counted.end_at > stored.from_at
    -- A day that was taken back in the last minutes is not counted before this transaction is over.
    WHERE counted.version IS NOT NULL OR counted.summed_at IS NOT NULL OR counted.due_at < now() + interval '5 minutes'
    ORDER BY counted.environment_number, counted.day
    FOR UPDATE OF counted
  ) AS changed
  WHERE (summed.environment_number, summed.day) = (changed.environment_number, changed.day);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.insert_click_events(ids text[], created timestamp with time zone[], environment_ids text[], numbers integer[], bodies text[], webhook_ids text[], rooms integer[])
 RETURNS TABLE(webhook_id text, queued bigint)
 LANGUAGE sql
AS $function$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, numbers, bodies) AS g (id, created_at, environment_id, number, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, 'click.created', body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at, queue_epoch)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, 'click.created', 'automatic', 1, 'pending', clock_timestamp(), endpoint.queue_epoch
    FROM unnest(webhook_ids, rooms) AS audience (webhook_id, room)
    JOIN webhook_endpoints AS endpoint
      ON endpoint.id = audience.webhook_id AND endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)
    JOIN given ON given.environment_id = endpoint.environment_id AND given.number < audience.room
    RETURNING webhook_deliveries.webhook_id
  )
  SELECT queued.webhook_id, count(*) FROM queued GROUP BY queued.webhook_id
$function$;

CREATE OR REPLACE FUNCTION public.insert_events(ids text[], created timestamp with time zone[], environment_ids text[], types text[], bodies text[])
 RETURNS bigint
 LANGUAGE sql
AS $function$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, types, bodies) AS g (id, created_at, environment_id, type, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, type, body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at, queue_epoch)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, given.type, 'automatic', 1, 'pending', clock_timestamp(), endpoint.queue_epoch
    FROM given
    JOIN webhook_endpoints AS endpoint
      ON endpoint.environment_id = given.environment_id AND endpoint.status = 'active' AND given.type = ANY (endpoint.events)
    RETURNING 1
  )
  SELECT count(*) FROM queued
$function$;

CREATE OR REPLACE FUNCTION public.link_alias_text(aliases json)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT string_agg(alias ->> 'path', E'\n') FROM json_array_elements(aliases) AS given (alias)
$function$;

CREATE OR REPLACE FUNCTION public.link_country_text(geo json)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT string_agg(value, E'\n') FROM json_each_text(geo)
$function$;

CREATE OR REPLACE FUNCTION public.link_search_text(path text, title text, destinations json)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT path || coalesce(E'\n' || title, '')
    || coalesce(E'\n' || (destinations ->> 'ios'), '') || coalesce(E'\n' || (destinations ->> 'android'), '')
    || coalesce(E'\n' || (destinations ->> 'web'), '') || coalesce(E'\n' || (destinations ->> 'desktop'), '')
    || coalesce(E'\n' || (destinations ->> 'fallback'), '')
$function$;

CREATE OR REPLACE FUNCTION public.local_slots(from_at timestamp with time zone, to_at timestamp with time zone, time_zone text)
 RETURNS TABLE(slot_at timestamp with time zone, day date, hour_at timestamp with time zone)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  WITH clock AS (
    SELECT at AS slot_at, at AT TIME ZONE time_zone AS local_at
    FROM generate_series(date_bin('15 minutes', from_at, 'epoch') - interval '75 minutes', to_at, interval '15 minutes') AS at
  ), marked AS (
    SELECT clock.slot_at, local_at,
      extract(minute FROM local_at) = 0 OR local_at - lag(local_at) OVER (ORDER BY clock.slot_at) <> interval '15 minutes' AS begins
    FROM clock
  ), told AS (
    SELECT marked.slot_at, local_at::date AS day, max(marked.slot_at) FILTER (WHERE begins) OVER (ORDER BY marked.slot_at) AS hour_at
    FROM marked
  )
  SELECT told.slot_at, told.day, told.hour_at FROM told WHERE told.slot_at >= date_bin('15 minutes', from_at, 'epoch')
$function$;

CREATE OR REPLACE FUNCTION public.lock_address(environment_id text, host text, path text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(address_lock($1, $3));
  -- A statement of its own: its snapshot is newer than the lock. That of the caller's statement is older.
  RETURN NOT EXISTS (SELECT FROM link_aliases AS alias WHERE alias.environment_id = $1 AND alias.host = $2 AND alias.normal_path = $3);
END
$function$;

CREATE OR REPLACE FUNCTION public.new_id(prefix text, at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  -- 48 bits of milliseconds as ten digits, then 80 random bits as sixteen: of the 64 digits of base64, two become each of the 32. Bytes 10 to
  -- 15 of a version 4 uuid hold no version bits. Until 2100 a double is less than half a microsecond off, which is added before rounding down.
  SELECT prefix
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 45 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 40 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 35 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 30 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 25 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 20 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 15 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 10 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint >> 5 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (floor(date_part('epoch', at) * 1000 + 0.0005)::bigint & 31)::integer + 1, 1)
    || translate(
      encode(substring(uuid_send(gen_random_uuid()) FROM 11 FOR 6) || substring(uuid_send(gen_random_uuid()) FROM 11 FOR 6), 'base64'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
      '0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrstvwxyz')
$function$;

CREATE OR REPLACE FUNCTION public.note_click_batches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO click_log_batches (batch_id, shards, from_at, to_at)
  SELECT batch_id, array_agg(shard), min(from_at), max(to_at) FROM stored GROUP BY batch_id ORDER BY batch_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.number_feed(lock_key bigint, channel text, from_id bigint, rows_max integer, OUT numbered integer, OUT last_id bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  head bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true), pg_advisory_xact_lock(lock_key);
  SELECT last_position INTO STRICT head FROM config_feed_state;
  WITH unnumbered AS (
    SELECT id, row_number() OVER (ORDER BY id) AS rank
    FROM (SELECT id FROM config_feed WHERE position IS NULL AND id >= from_id ORDER BY id LIMIT rows_max) AS oldest
  ), given AS (
    UPDATE config_feed SET position = head + unnumbered.rank
    FROM unnumbered
    WHERE config_feed.id = unnumbered.id
    RETURNING config_feed.id
  )
  SELECT count(*), max(id) INTO numbered, last_id FROM given;
  IF numbered > 0 THEN
    UPDATE config_feed_state SET last_position = head + numbered;
    PERFORM pg_notify(channel, json_build_object('position', head + numbered)::text);
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION public.number_tags(environment text, names json)
 RETURNS integer[]
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF json_array_length(names) = 0 THEN
    RETURN '{}';
  END IF;
  -- In the order of their names, so that two which make the same tags wait for each other in one order and never in a circle.
  INSERT INTO tags (id, environment_id, name, created_at, updated_at)
  SELECT new_id('tag_', now()), environment, given.name, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  FROM json_array_elements_text(names) AS given (name)
  WHERE NOT EXISTS (SELECT 1 FROM tags WHERE tags.environment_id = environment AND tags.name = given.name)
  ORDER BY given.name COLLATE "C"
  ON CONFLICT DO NOTHING;
  RETURN ARRAY(
    SELECT tags.number
    FROM json_array_elements_text(names) WITH ORDINALITY AS given (name, place)
    JOIN tags ON tags.environment_id = environment AND tags.name = given.name
    ORDER BY place);
END
$function$;

CREATE OR REPLACE FUNCTION public.read_item_of_install()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.resource_type := NEW.answer #>> '{resource,resource_type}';
  NEW.item_id := NEW.answer #>> '{resource,id}';
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION public.summarize_clicks(days date[])
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '50ms'
AS $function$
DECLARE
  index regclass;
BEGIN
  FOR index IN
    SELECT pg_index.indexrelid
    FROM unnest(days) AS day
    JOIN pg_index ON pg_index.indrelid = to_regclass('clicks_' || to_char(day, 'YYYYMMDD'))
    JOIN pg_inherits ON pg_inherits.inhrelid = pg_index.indexrelid
      AND pg_inherits.inhparent IN ('clicks_batch'::regclass, 'clicks_id'::regclass)
  LOOP
    BEGIN
      PERFORM brin_summarize_new_values(index);
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION public.tag_link_clicks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE link_clicks SET tag_numbers = NEW.tag_numbers WHERE link_id = NEW.id;
  RETURN NULL;
END
$function$;

CREATE TABLE public.api_keys (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  hash bytea NOT NULL,
  prefix text NOT NULL,
  last4 text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
  CONSTRAINT api_keys_kind_check CHECK ((kind = ANY (ARRAY['secret'::text, 'publishable'::text]))),
  CONSTRAINT api_keys_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX api_keys_environment ON public.api_keys USING btree (environment_id, id);

CREATE TABLE public.app_opens (
  id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  install_id text COLLATE "C" NOT NULL,
  link_id text COLLATE "C",
  campaign text COLLATE "C",
  resource_type text COLLATE "C",
  item_id text COLLATE "C",
  CONSTRAINT app_opens_pkey PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX app_opens_install ON ONLY public.app_opens USING btree (environment_id, install_id) INCLUDE (link_id, campaign, created_at);

CREATE TABLE public.blocklist_entries (
  key text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  CONSTRAINT blocklist_entries_pkey PRIMARY KEY (key, list),
  CONSTRAINT blocklist_entries_list_fkey FOREIGN KEY (list) REFERENCES public.blocklist_lists(name) ON DELETE CASCADE
);
CREATE INDEX blocklist_entries_list ON public.blocklist_entries USING btree (list);

CREATE TABLE public.blocklist_lists (
  name text COLLATE "C" NOT NULL,
  format text NOT NULL,
  entries integer NOT NULL,
  imported_at timestamp with time zone NOT NULL,
  CONSTRAINT blocklist_lists_pkey PRIMARY KEY (name),
  CONSTRAINT blocklist_lists_format_check CHECK ((format = ANY (ARRAY['hosts'::text, 'plain'::text, 'urlhaus'::text])))
);

CREATE TABLE public.blocklist_scan (
  singleton boolean NOT NULL DEFAULT true,
  changed_at timestamp with time zone,
  began_at timestamp with time zone,
  cursor text COLLATE "C",
  CONSTRAINT blocklist_scan_pkey PRIMARY KEY (singleton),
  CONSTRAINT blocklist_scan_singleton_check CHECK (singleton)
);

CREATE TABLE public.campaigns (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  status text NOT NULL DEFAULT 'active'::text,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT campaigns_pkey PRIMARY KEY (id),
  CONSTRAINT campaigns_environment_id_key_key UNIQUE (environment_id, key),
  CONSTRAINT campaigns_status_check CHECK ((status = ANY (ARRAY['active'::text, 'ended'::text]))),
  CONSTRAINT campaigns_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX campaigns_due ON public.campaigns USING btree (ends_at) WHERE ((status = 'active'::text) AND (ends_at IS NOT NULL));
CREATE INDEX campaigns_newest ON public.campaigns USING btree (environment_id, id DESC);

CREATE TABLE public.click_batches (
  batch_id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  clicks integer NOT NULL,
  from_at timestamp with time zone NOT NULL,
  to_at timestamp with time zone NOT NULL,
  stored_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  shard smallint NOT NULL DEFAULT '-1'::integer
);
CREATE INDEX click_batches_shard ON public.click_batches USING btree (batch_id, shard);
CREATE TRIGGER click_batches_noted AFTER INSERT ON public.click_batches REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION public.note_click_batches();

CREATE TABLE public.click_breakdown_changes (
  environment_number integer NOT NULL,
  day date NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  change integer NOT NULL,
  figures text NOT NULL,
  CONSTRAINT click_breakdown_changes_pkey PRIMARY KEY (environment_number, campaign, subject_id, day, change)
) PARTITION BY RANGE (day);

CREATE TABLE public.click_breakdowns (
  environment_number integer NOT NULL,
  day date NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  figures text NOT NULL,
  CONSTRAINT click_breakdowns_pkey PRIMARY KEY (environment_number, campaign, subject_id, day)
) PARTITION BY RANGE (day);

CREATE TABLE public.click_column_days (
  environment_number integer NOT NULL,
  day date NOT NULL,
  count_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  begun_at timestamp with time zone NOT NULL,
  clicks bigint,
  human bigint,
  visitors bigint,
  parts integer,
  fields text[],
  last_batch bigint,
  first_part integer NOT NULL DEFAULT 0,
  made_at timestamp with time zone,
  CONSTRAINT click_column_days_pkey PRIMARY KEY (environment_number, day)
);

CREATE TABLE public.click_columns (
  environment_number integer NOT NULL,
  day date NOT NULL,
  field text NOT NULL,
  part integer NOT NULL,
  clicks integer NOT NULL,
  dictionary bytea NOT NULL,
  has_null boolean NOT NULL,
  bits smallint NOT NULL,
  codes bytea NOT NULL,
  CONSTRAINT click_columns_pkey PRIMARY KEY (environment_number, day, field, part),
  CONSTRAINT click_columns_environment_number_day_fkey FOREIGN KEY (environment_number, day) REFERENCES public.click_column_days(environment_number, day) ON DELETE CASCADE
);

CREATE TABLE public.click_day_groups (
  environment_number integer NOT NULL,
  day date NOT NULL,
  field text NOT NULL,
  is_whole boolean NOT NULL,
  groups json NOT NULL,
  CONSTRAINT click_day_groups_pkey PRIMARY KEY (environment_number, day, field),
  CONSTRAINT click_day_groups_environment_number_day_fkey FOREIGN KEY (environment_number, day) REFERENCES public.click_column_days(environment_number, day) ON DELETE CASCADE
);

CREATE TABLE public.click_devices (
  click_id uuid NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  environment_number integer NOT NULL,
  seen_key bigint NOT NULL,
  match_key bigint NOT NULL,
  model text,
  CONSTRAINT click_devices_pkey PRIMARY KEY (click_id, occurred_at, seen_key)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX click_devices_match ON ONLY public.click_devices USING btree (match_key, occurred_at);

CREATE TABLE public.click_figures (
  environment_number integer NOT NULL,
  day date NOT NULL,
  dimension public.click_dimension NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks integer NOT NULL,
  human integer NOT NULL,
  visitors integer NOT NULL,
  CONSTRAINT click_figures_pkey PRIMARY KEY (environment_number, dimension, campaign, subject_id, value, day)
) PARTITION BY RANGE (day);

CREATE TABLE public.click_intents (
  segment_id uuid NOT NULL,
  batch_id bigint NOT NULL,
  to_bytes bigint NOT NULL,
  to_clicks bigint NOT NULL,
  made_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT click_intents_pkey PRIMARY KEY (segment_id),
  CONSTRAINT click_intents_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.click_segments(segment_id) ON DELETE CASCADE
);

CREATE TABLE public.click_listeners (
  environment_id text COLLATE "C" NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT click_listeners_pkey PRIMARY KEY (environment_id),
  CONSTRAINT click_listeners_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);

CREATE TABLE public.click_log_batches (
  batch_id bigint NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  shards smallint[] NOT NULL,
  from_at timestamp with time zone NOT NULL,
  to_at timestamp with time zone NOT NULL,
  stored_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT click_log_batches_pkey PRIMARY KEY (batch_id)
);
CREATE INDEX click_log_batches_order ON public.click_log_batches USING btree (xid, batch_id);
CREATE INDEX click_log_batches_stored ON public.click_log_batches USING btree (stored_at);
CREATE TRIGGER click_log_batches_forget_sums AFTER INSERT ON public.click_log_batches REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION public.forget_summed_days();
CREATE TRIGGER click_log_batches_forget_sums_again AFTER UPDATE ON public.click_log_batches REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION public.forget_summed_days();

CREATE TABLE public.click_segments (
  segment_id uuid NOT NULL,
  shipped_bytes bigint NOT NULL,
  shipped_clicks bigint NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT click_segments_pkey PRIMARY KEY (segment_id)
);

CREATE TABLE public.click_shards (
  shard smallint NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  CONSTRAINT click_shards_pkey PRIMARY KEY (shard),
  CONSTRAINT click_shards_shard_check CHECK (((shard >= 0) AND (shard <= 15)))
) WITH (fillfactor=50);

CREATE TABLE public.click_summed_days (
  environment_number integer NOT NULL,
  day date NOT NULL,
  time_zone text NOT NULL,
  from_at timestamp with time zone NOT NULL,
  end_at timestamp with time zone NOT NULL,
  version bigint,
  summed_at timestamp with time zone,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT click_summed_days_pkey PRIMARY KEY (environment_number, day)
);
CREATE INDEX click_summed_days_end ON public.click_summed_days USING btree (end_at);

CREATE TABLE public.click_top_lists (
  list_number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  environment_number integer NOT NULL,
  from_day date NOT NULL,
  until_day date NOT NULL,
  dimension public.click_dimension NOT NULL,
  list_id text COLLATE "C" NOT NULL,
  floor bigint NOT NULL,
  CONSTRAINT click_top_lists_pkey PRIMARY KEY (list_number),
  CONSTRAINT click_top_lists_environment_number_from_day_until_day_dimen_key UNIQUE (environment_number, from_day, until_day, dimension, list_id),
  CONSTRAINT click_top_lists_environment_number_from_day_until_day_fkey FOREIGN KEY (environment_number, from_day, until_day) REFERENCES public.click_top_windows(environment_number, from_day, until_day) ON DELETE CASCADE
);

CREATE TABLE public.click_top_windows (
  environment_number integer NOT NULL,
  from_day date NOT NULL,
  until_day date NOT NULL,
  is_loose boolean NOT NULL DEFAULT false,
  CONSTRAINT click_top_windows_pkey PRIMARY KEY (environment_number, from_day, until_day)
);

CREATE TABLE public.click_tops (
  list_number bigint NOT NULL,
  subject_id uuid NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks bigint NOT NULL,
  human bigint NOT NULL,
  visitors bigint NOT NULL,
  CONSTRAINT click_tops_pkey PRIMARY KEY (list_number, subject_id, campaign, value),
  CONSTRAINT click_tops_list_number_fkey FOREIGN KEY (list_number) REFERENCES public.click_top_lists(list_number) ON DELETE CASCADE
) WITH (fillfactor=60);

CREATE TABLE public.click_visits (
  environment_number integer NOT NULL,
  day date NOT NULL,
  visitor_hash bigint NOT NULL,
  hour_at timestamp with time zone NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  resource_type_id uuid NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  referrer_host text COLLATE "C" NOT NULL,
  campaign text COLLATE "C" NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX click_visits_visitor ON ONLY public.click_visits USING btree (visitor_hash);

CREATE TABLE public.clicks (
  id uuid NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  environment_number integer NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  resource_type_id uuid,
  item_id text,
  host text NOT NULL,
  path text NOT NULL,
  platform text NOT NULL,
  os_version text,
  in_app_browser text,
  bot boolean NOT NULL,
  bot_reason text,
  country text,
  referrer_host text,
  campaign text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  params text,
  params_dropped boolean NOT NULL,
  destination text,
  address_hash bytea,
  visitor_hash bigint NOT NULL,
  batch_id bigint NOT NULL,
  user_agent_hash bigint,
  os text,
  browser text,
  browser_version text,
  region text,
  city text,
  source text
) PARTITION BY RANGE (occurred_at);
CREATE INDEX clicks_batch ON ONLY public.clicks USING brin (batch_id) WITH (autosummarize='on');
CREATE INDEX clicks_id ON ONLY public.clicks USING brin (id) WITH (autosummarize='on');

CREATE TABLE public.config_feed (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "position" bigint,
  kind text NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  object_key text COLLATE "C",
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  is_creation boolean NOT NULL DEFAULT false,
  CONSTRAINT config_feed_pkey PRIMARY KEY (id)
);
CREATE INDEX config_feed_changes ON public.config_feed USING btree (id) WHERE (NOT is_creation);
CREATE UNIQUE INDEX config_feed_position ON public.config_feed USING btree ("position") WHERE ("position" IS NOT NULL);
CREATE INDEX config_feed_unassigned ON public.config_feed USING btree (id) WHERE ("position" IS NULL);

CREATE TABLE public.config_feed_state (
  singleton boolean NOT NULL DEFAULT true,
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  last_position bigint NOT NULL DEFAULT 0,
  pruned_position bigint NOT NULL DEFAULT 0,
  CONSTRAINT config_feed_state_pkey PRIMARY KEY (singleton),
  CONSTRAINT config_feed_state_singleton_check CHECK (singleton)
);

CREATE TABLE public.control_planes (
  id uuid NOT NULL,
  beat bigint NOT NULL DEFAULT 1,
  connections integer NOT NULL,
  CONSTRAINT control_planes_pkey PRIMARY KEY (id)
) WITH (fillfactor=50);

CREATE TABLE public.domains (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  hostname text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  txt_value text NOT NULL,
  last_checked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  failure_reason text,
  missing_since timestamp with time zone,
  next_check_at timestamp with time zone,
  redirects json NOT NULL DEFAULT '{}'::json,
  blocked_urls text[] NOT NULL DEFAULT '{}'::text[],
  case_insensitive boolean NOT NULL DEFAULT false,
  qr_style json,
  CONSTRAINT domains_pkey PRIMARY KEY (id),
  CONSTRAINT domains_environment_id_hostname_key UNIQUE (environment_id, hostname),
  CONSTRAINT domains_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['record_missing'::text, 'record_differs'::text, 'dns_error'::text, 'taken'::text]))),
  CONSTRAINT domains_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'failed'::text]))),
  CONSTRAINT domains_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX domains_due ON public.domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX domains_newest ON public.domains USING btree (environment_id, id DESC);
CREATE UNIQUE INDEX domains_verified ON public.domains USING btree (hostname) WHERE (status = 'verified'::text);

CREATE TABLE public.engines (
  id uuid NOT NULL,
  session uuid NOT NULL,
  members uuid[] NOT NULL,
  beat bigint NOT NULL DEFAULT 1,
  heartbeat_at timestamp with time zone NOT NULL DEFAULT now(),
  left_at timestamp with time zone,
  applied_epoch text,
  applied_position bigint,
  figures_batch bigint NOT NULL DEFAULT 0,
  report jsonb,
  roles text[] NOT NULL DEFAULT '{redirect,background,webhooks}'::text[],
  connections integer,
  CONSTRAINT engines_pkey PRIMARY KEY (id),
  CONSTRAINT engines_check CHECK (((applied_epoch IS NULL) = (applied_position IS NULL)))
) WITH (fillfactor=50);

CREATE TABLE public.environments (
  id text COLLATE "C" NOT NULL,
  number integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  link_host text NOT NULL,
  open_host text NOT NULL,
  interstitial boolean NOT NULL DEFAULT true,
  default_destinations json NOT NULL DEFAULT '{}'::json,
  ios_apps json NOT NULL DEFAULT '[]'::json,
  android_apps json NOT NULL DEFAULT '[]'::json,
  web_origins text[] NOT NULL DEFAULT '{}'::text[],
  attribution_window_minutes integer NOT NULL DEFAULT 120,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  blocked_urls text[] NOT NULL DEFAULT '{}'::text[],
  alias_hosts text[] NOT NULL DEFAULT '{}'::text[],
  append_click_id boolean NOT NULL DEFAULT false,
  long_link_hosts text[] NOT NULL DEFAULT '{}'::text[],
  long_link_path text,
  brand json NOT NULL DEFAULT '{}'::json,
  CONSTRAINT environments_pkey PRIMARY KEY (id),
  CONSTRAINT environments_link_host_key UNIQUE (link_host),
  CONSTRAINT environments_number_key UNIQUE (number),
  CONSTRAINT environments_open_host_key UNIQUE (open_host),
  CONSTRAINT environments_project_id_name_key UNIQUE (project_id, name),
  CONSTRAINT environments_attribution_window_minutes_check CHECK (((attribution_window_minutes >= 1) AND (attribution_window_minutes <= 10080))),
  CONSTRAINT environments_check CHECK ((link_host <> open_host)),
  CONSTRAINT environments_name_check CHECK ((name = ANY (ARRAY['test'::text, 'live'::text]))),
  CONSTRAINT environments_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id)
);
CREATE INDEX environments_web_origins ON public.environments USING gin (web_origins);

CREATE TABLE public.erased_environments (
  number integer NOT NULL,
  erased_at timestamp with time zone NOT NULL,
  CONSTRAINT erased_environments_pkey PRIMARY KEY (number)
);

CREATE TABLE public.events (
  id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX events_newest ON ONLY public.events USING btree (environment_id, type, id DESC);

CREATE TABLE public.hash_keys (
  day date NOT NULL,
  visitor_key bytea NOT NULL,
  address_key bytea NOT NULL,
  CONSTRAINT hash_keys_pkey PRIMARY KEY (day)
);

CREATE TABLE public.idempotency_keys (
  key_id text COLLATE "C" NOT NULL,
  idempotency_key uuid NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  headers json NOT NULL,
  body bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  canonical_fingerprint bytea,
  install_id text,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (key_id, idempotency_key),
  CONSTRAINT idempotency_keys_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_installs ON public.idempotency_keys USING btree (install_id) WHERE (install_id IS NOT NULL);

CREATE UNLOGGED TABLE public.idempotency_runs (
  key_id text COLLATE "C" NOT NULL,
  idempotency_key uuid NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_runs_pkey PRIMARY KEY (key_id, idempotency_key)
);

CREATE TABLE public.imported_clicks (
  link_id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  day date,
  clicks bigint NOT NULL,
  CONSTRAINT imported_clicks_link_id_source_day_key UNIQUE NULLS NOT DISTINCT (link_id, source, day),
  CONSTRAINT imported_clicks_clicks_check CHECK ((clicks >= 0)),
  CONSTRAINT imported_clicks_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE
);

CREATE TABLE public.installs (
  environment_id text COLLATE "C" NOT NULL,
  install_id text COLLATE "C" NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  platform text NOT NULL,
  os_version text,
  model text,
  attribution text NOT NULL,
  match_type text,
  reason text NOT NULL,
  click_id uuid,
  answer json NOT NULL,
  link_id text COLLATE "C" GENERATED ALWAYS AS ((answer #>> '{link,id}'::text[])) STORED,
  campaign text COLLATE "C" GENERATED ALWAYS AS ((answer #>> '{link,campaign}'::text[])) STORED,
  id text COLLATE "C" DEFAULT public.new_id('evt_'::text, clock_timestamp()),
  resource_type text COLLATE "C",
  item_id text COLLATE "C",
  CONSTRAINT installs_pkey PRIMARY KEY (environment_id, install_id),
  CONSTRAINT installs_click_id_key UNIQUE (click_id),
  CONSTRAINT installs_attribution_check CHECK ((attribution = ANY (ARRAY['attributed'::text, 'organic'::text]))),
  CONSTRAINT installs_check CHECK (((attribution = 'attributed'::text) = (match_type IS NOT NULL))),
  CONSTRAINT installs_match_type_check CHECK ((match_type = ANY (ARRAY['opened_url'::text, 'play_referrer'::text, 'clipboard'::text, 'probabilistic'::text]))),
  CONSTRAINT installs_platform_check CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'other'::text]))),
  CONSTRAINT installs_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX installs_counted ON public.installs USING btree (environment_id, opened_at) INCLUDE (link_id, campaign, match_type);
CREATE INDEX installs_listed ON public.installs USING btree (environment_id, id);
CREATE INDEX installs_of_items ON public.installs USING btree (environment_id, opened_at) INCLUDE (resource_type, item_id, match_type) WHERE (resource_type IS NOT NULL);
CREATE INDEX installs_opened ON public.installs USING btree (opened_at);
CREATE TRIGGER installs_item_read BEFORE INSERT ON public.installs FOR EACH ROW EXECUTE FUNCTION public.read_item_of_install();

CREATE TABLE public.link_aliases (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  link_id text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  normal_path text COLLATE "C" NOT NULL,
  CONSTRAINT link_aliases_pkey PRIMARY KEY (id),
  CONSTRAINT link_aliases_environment_id_host_normal_path_key UNIQUE (environment_id, host, normal_path),
  CONSTRAINT link_aliases_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id),
  CONSTRAINT link_aliases_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE
);
CREATE INDEX link_aliases_of_link ON public.link_aliases USING btree (link_id);
CREATE TRIGGER link_aliases_removed AFTER DELETE ON public.link_aliases REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.feed_removed_aliases();

CREATE TABLE public.link_click_rounds (
  environment_number integer NOT NULL,
  version bigint NOT NULL,
  last_day date NOT NULL,
  sums text NOT NULL,
  reached uuid,
  began_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL,
  CONSTRAINT link_click_rounds_pkey PRIMARY KEY (environment_number),
  CONSTRAINT link_click_rounds_environment_number_fkey FOREIGN KEY (environment_number) REFERENCES public.environments(number) ON DELETE CASCADE
);

CREATE TABLE public.link_clicks (
  link_id text COLLATE "C" NOT NULL,
  environment_number integer NOT NULL,
  human bigint NOT NULL DEFAULT 0,
  tag_numbers integer[] NOT NULL DEFAULT '{}'::integer[],
  CONSTRAINT link_clicks_pkey PRIMARY KEY (link_id),
  CONSTRAINT link_clicks_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX link_clicks_most ON public.link_clicks USING btree (environment_number, human, link_id);
CREATE INDEX link_clicks_some ON public.link_clicks USING btree (environment_number, link_id) WHERE (human > 0);
CREATE INDEX link_clicks_tagged ON public.link_clicks USING btree (environment_number, human, link_id) INCLUDE (tag_numbers) WHERE (tag_numbers <> '{}'::integer[]);
CREATE INDEX link_clicks_tags ON public.link_clicks USING gin (tag_numbers) WHERE (tag_numbers <> '{}'::integer[]);

CREATE TABLE public.link_uses (
  link_id text COLLATE "C" NOT NULL,
  used bigint NOT NULL,
  granted bigint NOT NULL,
  CONSTRAINT link_uses_pkey PRIMARY KEY (link_id),
  CONSTRAINT link_uses_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE
);

CREATE TABLE public.links (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'active'::text,
  deep_link_path text NOT NULL,
  data json,
  campaign text COLLATE "C",
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  allow_param_passthrough boolean NOT NULL DEFAULT false,
  destinations json NOT NULL DEFAULT '{}'::json,
  domain text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  told_expires_at timestamp with time zone,
  comments text,
  card json,
  title text,
  tag_numbers integer[] NOT NULL DEFAULT '{}'::integer[],
  archived boolean NOT NULL DEFAULT false,
  aliases json NOT NULL DEFAULT '[]'::json,
  active_from timestamp with time zone,
  max_clicks integer,
  password text,
  geo json,
  interstitial boolean,
  used_up_at timestamp with time zone,
  told_used_up_at timestamp with time zone,
  state_before_deletion text,
  state_before_block text,
  created_by text,
  CONSTRAINT links_pkey PRIMARY KEY (id),
  CONSTRAINT links_environment_id_path_key UNIQUE (environment_id, path),
  CONSTRAINT links_check CHECK (((state = 'deleted'::text) = (deleted_at IS NOT NULL))),
  CONSTRAINT links_state_check CHECK ((state = ANY (ARRAY['active'::text, 'disabled'::text, 'blocked'::text, 'deleted'::text]))),
  CONSTRAINT links_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX links_alias_search ON public.links USING gin (public.link_alias_text(aliases) public.gin_trgm_ops) WHERE (json_array_length(aliases) > 0);
CREATE INDEX links_archived ON public.links USING btree (environment_id, id DESC) WHERE (archived AND (state <> 'deleted'::text));
CREATE INDEX links_by_name ON public.links USING btree (environment_id, lower((COALESCE(title, path) COLLATE "default")), id) WHERE (state <> 'deleted'::text);
CREATE INDEX links_campaign ON public.links USING btree (environment_id, campaign, id DESC) WHERE ((campaign IS NOT NULL) AND (state <> 'deleted'::text));
CREATE INDEX links_country_search ON public.links USING gin (public.link_country_text(geo) public.gin_trgm_ops) WHERE ((state <> 'deleted'::text) AND (geo IS NOT NULL));
CREATE INDEX links_deleted ON public.links USING btree (deleted_at) WHERE (state = 'deleted'::text);
CREATE INDEX links_deleted_by_name ON public.links USING btree (environment_id, lower((COALESCE(title, path) COLLATE "default")), id) WHERE (state = 'deleted'::text);
CREATE INDEX links_deleted_campaign ON public.links USING btree (environment_id, campaign, id DESC) WHERE ((campaign IS NOT NULL) AND (state = 'deleted'::text));
CREATE INDEX links_deleted_newest ON public.links USING btree (environment_id, id DESC) WHERE (state = 'deleted'::text);
CREATE INDEX links_deleted_search ON public.links USING gin (public.link_search_text(path, title, destinations) COLLATE "default" public.gin_trgm_ops, public.link_country_text(geo) public.gin_trgm_ops, tag_numbers) WHERE (state = 'deleted'::text);
CREATE INDEX links_expiring ON public.links USING btree (environment_id, id DESC) WHERE ((state = 'active'::text) AND (expires_at IS NOT NULL));
CREATE INDEX links_expiry_untold ON public.links USING btree (expires_at) WHERE ((state = 'active'::text) AND (told_expires_at IS DISTINCT FROM expires_at));
CREATE INDEX links_newest ON public.links USING btree (environment_id, id DESC) WHERE (state <> 'deleted'::text);
CREATE INDEX links_scheduled ON public.links USING btree (environment_id, id DESC) WHERE (active_from IS NOT NULL);
CREATE INDEX links_search ON public.links USING gin (public.link_search_text(path, title, destinations) COLLATE "default" public.gin_trgm_ops) WHERE (state <> 'deleted'::text);
CREATE INDEX links_stopped ON public.links USING btree (environment_id, state, id DESC) WHERE (state = ANY (ARRAY['disabled'::text, 'blocked'::text]));
CREATE INDEX links_tags ON public.links USING gin (tag_numbers) WHERE ((tag_numbers <> '{}'::integer[]) AND (state <> 'deleted'::text));
CREATE INDEX links_used_up ON public.links USING btree (environment_id, id DESC) WHERE (used_up_at IS NOT NULL);
CREATE INDEX links_used_up_untold ON public.links USING btree (used_up_at) WHERE ((used_up_at IS NOT NULL) AND (told_used_up_at IS DISTINCT FROM used_up_at));
CREATE TRIGGER links_made AFTER INSERT ON public.links REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION public.count_new_links();
CREATE TRIGGER links_tagged AFTER UPDATE OF tag_numbers ON public.links FOR EACH ROW WHEN ((old.tag_numbers IS DISTINCT FROM new.tag_numbers)) EXECUTE FUNCTION public.tag_link_clicks();

CREATE TABLE public.metadata_answers (
  resource_type_id text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  invalidation bigint NOT NULL DEFAULT 0,
  outcome text,
  meaning text,
  metadata json,
  fetched_at timestamp with time zone,
  expires_at timestamp with time zone,
  keep_until timestamp with time zone NOT NULL,
  CONSTRAINT metadata_answers_pkey PRIMARY KEY (resource_type_id, generation, item_id),
  CONSTRAINT metadata_answers_check CHECK ((((outcome = 'ok'::text) = ((metadata IS NOT NULL) AND (meaning IS NOT NULL))) OR (outcome IS NULL))),
  CONSTRAINT metadata_answers_check1 CHECK ((((outcome IS NULL) = (fetched_at IS NULL)) AND ((outcome IS NULL) = (expires_at IS NULL)))),
  CONSTRAINT metadata_answers_meaning_check CHECK ((meaning = ANY (ARRAY['published'::text, 'unpublished'::text, 'deleted'::text]))),
  CONSTRAINT metadata_answers_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'missing'::text]))),
  CONSTRAINT metadata_answers_resource_type_id_fkey FOREIGN KEY (resource_type_id) REFERENCES public.resource_types(id)
);
CREATE INDEX metadata_answers_keep_until ON public.metadata_answers USING btree (keep_until);

CREATE TABLE public.metadata_apis (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  status text NOT NULL,
  url_template text NOT NULL,
  auth_type text NOT NULL,
  header_name text,
  secret bytea,
  secret_hint text,
  headers json NOT NULL,
  timeout_ms integer NOT NULL,
  ttl_seconds integer NOT NULL,
  negative_ttl_seconds integer NOT NULL,
  stale_if_error_seconds integer NOT NULL,
  max_concurrency integer NOT NULL,
  max_requests_per_minute integer NOT NULL,
  field_mapping json NOT NULL,
  field_defaults json NOT NULL,
  required_fields text[] NOT NULL,
  status_values json NOT NULL,
  allowed_image_hosts text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  blocked_urls text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT metadata_apis_pkey PRIMARY KEY (id),
  CONSTRAINT metadata_apis_resource_type_id_key UNIQUE (resource_type_id),
  CONSTRAINT metadata_apis_auth_type_check CHECK ((auth_type = ANY (ARRAY['none'::text, 'bearer'::text, 'api_key_header'::text]))),
  CONSTRAINT metadata_apis_check CHECK (((auth_type = 'api_key_header'::text) = (header_name IS NOT NULL))),
  CONSTRAINT metadata_apis_check1 CHECK (((auth_type = 'none'::text) = (secret IS NULL))),
  CONSTRAINT metadata_apis_check2 CHECK (((secret IS NOT NULL) OR (secret_hint IS NULL))),
  CONSTRAINT metadata_apis_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
  CONSTRAINT metadata_apis_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id),
  CONSTRAINT metadata_apis_environment_id_resource_type_id_fkey FOREIGN KEY (environment_id, resource_type_id) REFERENCES public.resource_types(environment_id, id)
);

CREATE TABLE public.metadata_figures (
  resource_type_id text COLLATE "C" NOT NULL,
  interval_start timestamp with time zone NOT NULL,
  previews_served bigint NOT NULL DEFAULT 0,
  previews_from_memory bigint NOT NULL DEFAULT 0,
  previews_from_database bigint NOT NULL DEFAULT 0,
  previews_from_negative_cache bigint NOT NULL DEFAULT 0,
  previews_stale bigint NOT NULL DEFAULT 0,
  previews_fallback bigint NOT NULL DEFAULT 0,
  previews_called bigint NOT NULL DEFAULT 0,
  calls_ok bigint NOT NULL DEFAULT 0,
  calls_missing bigint NOT NULL DEFAULT 0,
  calls_error bigint NOT NULL DEFAULT 0,
  calls_timeout bigint NOT NULL DEFAULT 0,
  calls_invalid bigint NOT NULL DEFAULT 0,
  skipped_breaker_open bigint NOT NULL DEFAULT 0,
  skipped_throttled bigint NOT NULL DEFAULT 0,
  latency_ms_sum bigint NOT NULL DEFAULT 0,
  latency_lt_100 bigint NOT NULL DEFAULT 0,
  latency_lt_300 bigint NOT NULL DEFAULT 0,
  latency_lt_1000 bigint NOT NULL DEFAULT 0,
  latency_ge_1000 bigint NOT NULL DEFAULT 0,
  previews_redirected bigint NOT NULL DEFAULT 0,
  CONSTRAINT metadata_figures_pkey PRIMARY KEY (resource_type_id, interval_start),
  CONSTRAINT metadata_figures_interval_start_check CHECK (((EXTRACT(epoch FROM interval_start) % (900)::numeric) = (0)::numeric)),
  CONSTRAINT metadata_figures_resource_type_id_fkey FOREIGN KEY (resource_type_id) REFERENCES public.resource_types(id)
);

CREATE TABLE public.open_clicks (
  id uuid NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  environment_number integer NOT NULL,
  platform text NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  item_id text,
  params text,
  match_key bigint,
  language text,
  model text,
  screen text,
  user_agent_hash bytea
) PARTITION BY RANGE (occurred_at);
CREATE INDEX open_clicks_id ON ONLY public.open_clicks USING btree (id);
CREATE INDEX open_clicks_match ON ONLY public.open_clicks USING btree (match_key, occurred_at) WHERE (match_key IS NOT NULL);

CREATE TABLE public.projects (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT projects_pkey PRIMARY KEY (id)
);

CREATE TABLE public.resource_types (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT resource_types_pkey PRIMARY KEY (id),
  CONSTRAINT resource_types_environment_id_id_key UNIQUE (environment_id, id),
  CONSTRAINT resource_types_environment_id_key_key UNIQUE (environment_id, key),
  CONSTRAINT resource_types_key_check CHECK ((key ~ '^[a-z][a-z0-9_-]{0,63}$'::text)),
  CONSTRAINT resource_types_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text]))),
  CONSTRAINT resource_types_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);

CREATE TABLE public.saved_views (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  query json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (id),
  CONSTRAINT saved_views_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE
);
CREATE INDEX saved_views_listed ON public.saved_views USING btree (environment_id, id);
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (environment_id, name);

CREATE TABLE public.tags (
  id text COLLATE "C" NOT NULL,
  number integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  environment_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT tags_pkey PRIMARY KEY (id),
  CONSTRAINT tags_environment_id_name_key UNIQUE (environment_id, name),
  CONSTRAINT tags_number_key UNIQUE (number),
  CONSTRAINT tags_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX tags_newest ON public.tags USING btree (environment_id, id DESC);

CREATE TABLE public.tracked_events (
  id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  name text NOT NULL,
  install_id text COLLATE "C",
  click_id text COLLATE "C",
  value double precision,
  currency text COLLATE "C",
  properties json,
  occurred_at timestamp with time zone NOT NULL,
  link_id text COLLATE "C",
  campaign text COLLATE "C",
  resource_type text COLLATE "C",
  item_id text COLLATE "C",
  CONSTRAINT tracked_events_pkey PRIMARY KEY (id, created_at),
  CONSTRAINT tracked_events_source_check CHECK ((source = ANY (ARRAY['sdk'::text, 'server'::text])))
) PARTITION BY RANGE (created_at);
CREATE INDEX tracked_events_counted ON ONLY public.tracked_events USING btree (environment_id, occurred_at) INCLUDE (name, link_id, campaign, value, currency);
CREATE INDEX tracked_events_install ON ONLY public.tracked_events USING btree (environment_id, install_id) WHERE (install_id IS NOT NULL);
CREATE INDEX tracked_events_listed ON ONLY public.tracked_events USING btree (environment_id, id);
CREATE INDEX tracked_events_of_items ON ONLY public.tracked_events USING btree (environment_id, occurred_at) INCLUDE (name, resource_type, item_id, value, currency, created_at) WHERE (resource_type IS NOT NULL);

CREATE TABLE public.url_templates (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  resource_type_id text COLLATE "C" NOT NULL,
  path_pattern text COLLATE "C" NOT NULL,
  id_format json NOT NULL,
  deep_link_path text NOT NULL,
  data json,
  redirects json NOT NULL DEFAULT '{}'::json,
  allow_param_passthrough boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active'::text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  blocked_urls text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT url_templates_pkey PRIMARY KEY (id),
  CONSTRAINT url_templates_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text, 'archived'::text]))),
  CONSTRAINT url_templates_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id),
  CONSTRAINT url_templates_environment_id_resource_type_id_fkey FOREIGN KEY (environment_id, resource_type_id) REFERENCES public.resource_types(environment_id, id)
);
CREATE INDEX url_templates_newest ON public.url_templates USING btree (environment_id, id DESC);
CREATE INDEX url_templates_of_type ON public.url_templates USING btree (resource_type_id, id DESC);
CREATE UNIQUE INDEX url_templates_pattern ON public.url_templates USING btree (environment_id, path_pattern) WHERE (status <> 'archived'::text);

CREATE TABLE public.user_agents (
  user_agent_hash bigint NOT NULL,
  user_agent text NOT NULL,
  last_day date NOT NULL,
  CONSTRAINT user_agents_pkey PRIMARY KEY (user_agent_hash)
);

CREATE TABLE public.view_shares (
  id text COLLATE "C" NOT NULL,
  view_id text COLLATE "C" NOT NULL,
  password text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT view_shares_pkey PRIMARY KEY (id),
  CONSTRAINT view_shares_view_id_key UNIQUE (view_id),
  CONSTRAINT view_shares_view_id_fkey FOREIGN KEY (view_id) REFERENCES public.saved_views(id) ON DELETE CASCADE
);

CREATE TABLE public.webhook_backlogs (
  webhook_id text COLLATE "C" NOT NULL,
  queued bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  dropped_at timestamp with time zone,
  CONSTRAINT webhook_backlogs_pkey PRIMARY KEY (webhook_id)
) WITH (fillfactor=20);

CREATE TABLE public.webhook_deliveries (
  id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  kind text NOT NULL,
  attempt integer NOT NULL,
  status text NOT NULL,
  response_code integer,
  response_body text,
  latency_ms integer,
  error text,
  next_attempt_at timestamp with time zone,
  due_at timestamp with time zone,
  claim_id uuid,
  leased_until timestamp with time zone,
  claims smallint NOT NULL DEFAULT 0,
  queue_epoch integer,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id, created_at),
  CONSTRAINT webhook_deliveries_kind_check CHECK ((kind = ANY (ARRAY['automatic'::text, 'replay'::text, 'test'::text]))),
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'retrying'::text, 'abandoned'::text])))
) PARTITION BY RANGE (created_at);
CREATE INDEX webhook_deliveries_due ON ONLY public.webhook_deliveries USING btree (webhook_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_manual ON ONLY public.webhook_deliveries USING btree (webhook_id, due_at) WHERE ((due_at IS NOT NULL) AND (kind <> 'automatic'::text));
CREATE INDEX webhook_deliveries_newest ON ONLY public.webhook_deliveries USING btree (webhook_id, id DESC);

CREATE TABLE public.webhook_endpoints (
  id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  description text,
  events text[] NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  disabled_at timestamp with time zone,
  disabled_reason text,
  failing_since timestamp with time zone,
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  queue_epoch integer NOT NULL DEFAULT 0,
  swept_epoch integer NOT NULL DEFAULT 0,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text, 'auto_disabled'::text]))),
  CONSTRAINT webhook_endpoints_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id)
);
CREATE INDEX webhook_endpoints_environment ON public.webhook_endpoints USING btree (environment_id, id DESC);
CREATE INDEX webhook_endpoints_of_clicks ON public.webhook_endpoints USING btree (environment_id) WHERE ((status = 'active'::text) AND ('click.created'::text = ANY (events)));
