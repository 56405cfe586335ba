import Type from 'typebox';
import { HEALTH_QUEUE_COUNT_MAX } from '../../base/limits.js';
import { nullable, oneOf, text, timestamp } from './fields.js';

const ok = Type.Boolean({ description: 'Whether it does its work. The reason stands on the admin port of its process' });

const engineSchema = Type.Object(
  {
    id: text('Of the host’s data folder: the same after a restart'),
    status: oneOf(
      ['ok', 'failing', 'silent', 'left'],
      '`silent`: not in touch with the database for 10 seconds, though it may well redirect. `left`: it was stopped',
    ),
    heartbeat_at: timestamp('When it last wrote to the database. Every two seconds, while both are well'),
    feed_lag: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Changes of configuration that it had not applied then; null before it has followed the feed',
      }),
    ),
    behind_since: nullable(timestamp('When the oldest of those changes was made; null where it lacks none')),
    processes: nullable(
      Type.Array(
        Type.Object({
          name: text('Name of the process', { examples: ['redirect-0'] }),
          ok,
          restarts: Type.Integer({ minimum: 0, description: 'How often it had to be started anew because it ended unasked' }),
        }),
        { description: 'Its processes; null before it has said so' },
      ),
    ),
    parts: nullable(
      Type.Array(Type.Object({ part: text('Process and part', { examples: ['background/clicks'] }), ok }), {
        description: 'What runs in those processes; null before it has said so',
      }),
    ),
    spool: nullable(
      Type.Object(
        {
          pending_bytes: Type.Integer({ minimum: 0, description: 'Clicks that are not in the click log yet, 64 bytes or more each' }),
          dropped_clicks: Type.Integer({ minimum: 0, description: 'Clicks lost over all time because the spool or the disk was full' }),
        },
        { description: 'Its click spool; null before it has said so' },
      ),
    ),
  },
  { description: 'A host that answers link hosts' },
);

export const healthSchema = Type.Object(
  {
    status: oneOf(
      ['ok', 'degraded'],
      '`ok`: every part of the control plane and at least one engine do their work, none is silent or failing, and none has been behind for 10 seconds',
    ),
    checked_at: timestamp('When this was looked up'),
    control_plane: Type.Object(
      {
        parts: Type.Array(Type.Object({ part: text('Name of the part', { examples: ['database'] }), ok })),
      },
      { description: 'The process that answered' },
    ),
    feed: Type.Object(
      {
        position: Type.Integer({ minimum: 0, description: 'Changes of configuration that were numbered' }),
        unnumbered: Type.Integer({ minimum: 0, description: 'Changes that wait to be numbered' }),
      },
      { description: 'The feed of configuration that engines follow' },
    ),
    engines: Type.Array(engineSchema, { description: 'Hosts that answer link hosts, of all environments' }),
    webhook_queue: Type.Object(
      {
        due: Type.Integer({ minimum: 0, description: 'Deliveries of this environment that are to be sent now or are under way' }),
        scheduled: Type.Integer({ minimum: 0, description: 'Deliveries of this environment that wait for a later attempt' }),
        due_since: nullable(timestamp('Since when the earliest of them has been due; null where none is')),
      },
      { description: `Counted up to ${HEALTH_QUEUE_COUNT_MAX} an endpoint` },
    ),
  },
  { description: 'How the service is' },
);

export type Health = Type.Static<typeof healthSchema>;
