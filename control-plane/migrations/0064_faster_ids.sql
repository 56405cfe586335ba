-- An id took 80 microseconds, most of what it takes to queue a delivery. Without a subquery PostgreSQL writes the function into the statement.
CREATE OR REPLACE FUNCTION new_id(prefix text, at timestamptz) RETURNS text LANGUAGE sql PARALLEL SAFE AS $$
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
$$;
