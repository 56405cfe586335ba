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
      '`correct`: the host was called, and this service answered; `other_server`: something else did',
    ),
    error: nullable(
      oneOf(
        ['no_address', 'blocked_address', 'connection_failed', 'timeout'],
        'Why the host could not be reached: it has no address, or one that is not public; no connection, or no HTTP; no answer within 5 seconds',
      ),
    ),
  },
  { description: 'Who answers the host' },
);
export type HostRoute = Type.Static<typeof routeSchema>;

const certificateSchema = Type.Object(
  {
    status: oneOf(
      ['valid', 'expired', 'other_host', 'untrusted'],
      '`expired`: also not valid yet; `other_host`: it names other hosts; `untrusted`: no authority that browsers trust has signed it',
    ),
    issuer: nullable(text('Who has signed it', { examples: ["Let's Encrypt"] })),
    expires_at: timestamp('The end of its validity'),
  },
  { description: 'The certificate that the host shows' },
);
export type HostCertificate = Type.Static<typeof certificateSchema>;

export const domainConnectionSchema = Type.Object(
  {
    dns_records: Type.Array(hostRecord, {
      description:
        'What leads the host here: the CNAME, or, where none may be set because the host is the top of its zone, the A and AAAA records. They are the addresses of the link host at this moment.',
    }),
    dns: Type.Object(
      {
        status: oneOf(
          ['correct', 'elsewhere', 'missing', 'no_answer'],
          '`elsewhere` is right where a proxy stands before the service, if `route` is `correct`; `no_answer`: no DNS server could say',
        ),
        cname: nullable(text('The name that the host is another name of')),
        addresses: Type.Array(text('An address of the host')),
      },
      { description: 'Where the host leads' },
    ),
    route: routeSchema,
    certificate: nullable(certificateSchema),
  },
  { description: 'What is to be set for a domain, and what is there at this moment. `certificate` is null if none was shown.' },
);
export type DomainConnection = Type.Static<typeof domainConnectionSchema>;
