-- What the processes of an installation say of themselves, so that each knows how many there are.

ALTER TABLE engines
  -- What the host does (ENGINE_ROLES). Engines of the release before do all of it.
  ADD COLUMN roles text[] NOT NULL DEFAULT '{redirect,background,webhooks}',
  -- The connections to PostgreSQL itself that the host may open at most; null where it has not said so.
  ADD COLUMN connections integer;

-- One row a control plane that lives. Rows are judged by whether `beat` moves, not by a clock.
CREATE TABLE control_planes (
  id uuid PRIMARY KEY,
  beat bigint NOT NULL DEFAULT 1,
  -- As in `engines`.
  connections integer NOT NULL
) WITH (fillfactor = 50);
