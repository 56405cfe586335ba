import Type from 'typebox';
import { nullable, oneOf, text, timestamp } from './fields.js';

const hostRecord = Type.Object(
  {
    type: oneOf(['CNAME', 'A', 'AAAA'], 'Type of the record'),
    name: text('Name of the record', { examples: ['links.example.com'] }),
    value: text('Value of the record', { examples: ['go.example.net'] }),
  },
  { description: 'A DNS record' },
);

const routeSchema = Type.Object(
  {
    status: oneOf(
      ['correct', 'other_server', 'unreachable'],
      '`correct`: this service responded on the host; `other_server`: another server responded',
    ),
    error: nullable(
      oneOf(
        ['no_address', 'blocked_address', 'connection_failed', 'timeout'],
        'Why the host could not be reached: it has no address or no public one, the connection failed, the response was not HTTP, or there was no response within 5 seconds',
      ),
    ),
  },
  { description: 'Which server responds on the host' },
);
export type HostRoute = Type.Static<typeof routeSchema>;

const certificateSchema = Type.Object(
  {
    status: oneOf(
      ['valid', 'expired', 'other_host', 'untrusted'],
      '`expired`: no longer or not yet valid; `other_host`: it is for other hosts; `untrusted`: it is not signed by an authority that browsers trust',
    ),
    issuer: nullable(text('Who signed it', { examples: ["Let's Encrypt"] })),
    expires_at: timestamp('When it expires'),
  },
  { description: 'The certificate that the host shows' },
);
export type HostCertificate = Type.Static<typeof certificateSchema>;

export const domainConnectionSchema = Type.Object(
  {
    dns_records: Type.Array(hostRecord, {
      description:
        'Records that point the host to this service: the CNAME, or the A and AAAA records if the host is the apex of its zone, where no CNAME is allowed. The addresses are those that the link host has now.',
    }),
    dns: Type.Object(
      {
        status: oneOf(
          ['correct', 'elsewhere', 'missing', 'no_answer'],
          '`elsewhere` is fine if a proxy is in front of the service and `route` is `correct`; `no_answer`: DNS did not respond',
        ),
        cname: nullable(text('Target of the CNAME record of the host')),
        addresses: Type.Array(text('An address of the host'), { description: 'Addresses of the host' }),
      },
      { description: 'Where the host leads' },
    ),
    route: routeSchema,
    certificate: nullable(certificateSchema),
  },
  { description: 'The records to set for a domain, and what was found now. `certificate` is null if the host presented none.' },
);
export type DomainConnection = Type.Static<typeof domainConnectionSchema>;
