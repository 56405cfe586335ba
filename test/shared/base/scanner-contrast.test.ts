import t from 'tap';
import { parseHexColor, type Rgb } from '../../../shared/base/hex-color.js';
import { scannerFault } from '../../../shared/base/scanner-contrast.js';

const rgb = (hex: string) => parseHexColor(hex) as Rgb;

t.test('colours are judged as scanners see them, and a fault says what to change', async (t) => {
  for (const [foreground, background, fault] of [
    ['#000000', '#ffffff', null],
    ['#b00020', '#ffffff', null],
    ['#0d3b66', '#faf0ca', null],
    ['#000000', '#7fd1ae', null],
    ['#ffffff', '#000000', /must be darker than the background/],
    ['#777777', '#777777', /must be darker than the background/],
    ['#ffd400', '#ffffff', /the background is 1\.\d times as bright, but must be 2.2 times/],
    // A reader that weighs red and green alike sees these two as the same.
    ['#c80000', '#00a000', /must be darker/],
    ['#737373', '#ffffff', null],
    ['#747474', '#ffffff', /2\.1 times/],
    ['#000000', '#202020', /both are dark/],
  ] as const) {
    const found = scannerFault(rgb(foreground), rgb(background));
    if (fault === null) t.equal(found, null, foreground);
    else t.match(found, fault, foreground);
  }
});
