import { readClickDevice } from '../../shared/attribution/click-device.js';
import type { Clock } from '../../shared/base/clock.js';
import type { GenerationCache } from '../../shared/base/generation-cache.js';
import { idTimeMs } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import { isOfThisVisit } from '../../shared/resolve/click-id.js';
import { type Visitor, withClientHints } from '../../shared/resolve/recognise-visitor.js';
import { type ClickIdKeys, isSignedClickId } from '../../shared/secrets/click-id-keys.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { Responder } from '../http/respond.js';
import type { ClickSink } from '../spool/click.js';
import { fillAddress, fillDevice, newClick } from './click-record.js';
import { RecentTexts } from './recent-texts.js';
import { recognise } from './recognise.js';
import type { HostEntry } from './table.js';
import type { VisitFigures } from './visit-figures.js';

export interface DeviceReportParts {
  readonly clicks: ClickSink;
  readonly clickIds: ClickIdKeys;
  readonly verdicts: GenerationCache<Visitor>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly proxyTrust: ProxyTrust;
  readonly clock: Clock;
}

/**
 * The maximum number of clicks, in each of two generations, whose pages are known to have reported to this process. A page that
 * keeps reporting does not fill the spool.
 */
const TOLD_CLICKS_MAX = 8192;

/**
 * Receives the reports of pages about the device of a click. The response is always the same. A report that is forged, late or
 * repeated has no effect.
 */
export class DeviceReports {
  readonly #parts: DeviceReportParts;
  readonly #click = newClick();
  readonly #told = new RecentTexts(TOLD_CLICKS_MAX);

  constructor(parts: DeviceReportParts) {
    this.#parts = parts;
  }

  serve(facts: Facts, entry: HostEntry, sink: AnswerSink): void {
    const { responder, figures, clicks, clickIds, verdicts, clock, proxyTrust } = this.#parts;
    recognise(facts, verdicts);
    // The version in the header is not used, because the report is about what was unknown at the click.
    const visitor = withClientHints(facts.visitor, facts.platform_hint, '');
    const reported =
      facts.method === 'GET' && !facts.prefetch && !facts.opted_out ? readClickDevice(facts.query, visitor, facts.user_agent) : null;
    if (reported !== null && isOfThisVisit(reported.clickId, clock()) && isSignedClickId(clickIds, reported.clickId)) {
      const clickedAtMs = idTimeMs('click', reported.clickId);
      invariant(clickedAtMs !== null, 'a signed id has a time');
      if (this.#told.isNew(reported.clickId)) {
        fillDevice(this.#click, facts, entry.environment.record.number, reported, clickedAtMs);
        fillAddress(this.#click, facts, sink, proxyTrust);
        if (!clicks.append(this.#click)) figures.devices_dropped++;
      }
    }
    responder.noContent(sink);
    figures.count('click_device');
  }
}
