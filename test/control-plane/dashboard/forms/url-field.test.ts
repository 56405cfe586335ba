import t from 'tap';
import { urlOfField } from '../../../../control-plane/dashboard/forms/url-field.js';

t.test('a URL without a scheme gets https, and other text is sent as typed', async (t) => {
  for (const [typed, sent] of [
    ['', null],
    ['  ', null],
    ['shop.example.com/x', 'https://shop.example.com/x'],
    [' m\u00fcller.de ', 'https://m\u00fcller.de'],
    ['shop.example.com/{id}', 'https://shop.example.com/{id}'],
    ['shop.example.com{deep_link_path}', 'shop.example.com{deep_link_path}'],
    ['http://shop.example.com', 'http://shop.example.com'],
    ['shop://product/1', 'shop://product/1'],
    ['shop', 'shop'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ] as const)
    t.equal(urlOfField(typed), sent, typed);
});
