import t from 'tap';
import { linkOfRow } from '../source-service.js';

const ROW = {
  link: 'https://bit.ly/AbC123',
  'custom link': 'https://go.example.com/Launch',
  'date created': '2026-06-01T08:30:00Z',
  title: 'Launch',
  'destination url': 'https://shop.example/launch',
  engagements: '1,234',
  status: 'Active',
};

t.test('Bitly: every column of its export is read, and the custom link is an address of the link', async (t) => {
  const link = linkOfRow('bitly', ROW);
  t.same(link?.lost, []);
  t.match(link, {
    id: 'bit.ly/AbC123',
    addresses: [
      { host: 'bit.ly', path: 'AbC123' },
      { host: 'go.example.com', path: 'Launch' },
    ],
    fields: { destinations: { web: 'https://shop.example/launch' }, title: 'Launch', created_at: '2026-06-01T08:30:00.000Z' },
    clicks: [{ day: null, clicks: 1234 }],
    disabled: undefined,
  });
  t.notOk(link?.fields.archived);
  t.match(linkOfRow('bitly', { ...ROW, 'custom link': '' })?.addresses, [{ host: 'bit.ly', path: 'AbC123' }]);
});

t.test('Bitly: a hidden link keeps working, and one with any other status is disabled', async (t) => {
  for (const status of ['Hidden', 'archived'])
    t.match(linkOfRow('bitly', { ...ROW, status }), { disabled: undefined, lost: [], fields: { archived: true } }, status);
  for (const status of ['Deleted', 'Expired', 'Suspended'])
    t.match(linkOfRow('bitly', { ...ROW, status }), { disabled: true, lost: ['status'] }, status);
});
