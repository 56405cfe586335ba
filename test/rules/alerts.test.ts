import t from 'tap';
import { parse } from 'yaml';
import { ONLY_BY_PROMTOOL, TOGETHER, WITH_CLICKHOUSE } from '../fault/alert-table.js';
import { readTreeFile, treeFiles } from '../support/source-tree.js';

interface AlertTest {
  readonly eval_time: string;
  readonly alertname: string;
  readonly exp_alerts?: readonly unknown[];
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}

interface RuleTests {
  readonly tests: readonly { readonly alert_rule_test: readonly AlertTest[] }[];
}

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };

function minutesOf(time: string): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(time) ?? [];
  return Number(count) * (MINUTES[unit] ?? Number.NaN);
}

/** Alerts that fire in one of the tests, and have ended later in the same test. */
function firedAndCleared(tests: RuleTests['tests']): readonly string[] {
  const seen = tests.flatMap(({ alert_rule_test: looks }) => {
    const fires = looks.filter(({ exp_alerts: expected = [] }) => expected.length > 0);
    return fires
      .filter((fire) =>
        looks.some(
          ({ alertname, eval_time: at, exp_alerts: expected = [] }) =>
            alertname === fire.alertname && expected.length === 0 && minutesOf(at) > minutesOf(fire.eval_time),
        ),
      )
      .map(({ alertname }) => alertname);
  });
  return [...new Set(seen)];
}

t.test('a promtool test counts only if it sees the alert fire and clear later', async (t) => {
  const look = (at: string, fires: boolean) => ({ eval_time: at, alertname: 'A', ...(fires ? { exp_alerts: [{}] } : {}) });
  const counts = (...looks: readonly AlertTest[]) => firedAndCleared([{ alert_rule_test: looks }]).length === 1;
  t.ok(counts(look('5m', true), look('1h', false)));
  t.notOk(counts(look('5m', true)));
  t.notOk(counts(look('5m', false)));
  t.notOk(counts(look('4m', false), look('5m', true)));
  t.notOk(firedAndCleared([{ alert_rule_test: [look('5m', true)] }, { alert_rule_test: [look('9m', false)] }]).length === 1);
});

t.test('every alert is provoked in test/fault, or a promtool test sees it fire and clear', async (t) => {
  const rules = parse(readTreeFile('deploy/prometheus/rules.yaml')) as Rules;
  const alerts = rules.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const provoked = [...TOGETHER.flat(), ...WITH_CLICKHOUSE].flatMap(({ alerts }) => alerts);
  const files = treeFiles().filter((file) => /^test\/deploy\/prometheus-rules[\w-]*\.yaml$/.test(file));
  const tested = firedAndCleared(files.flatMap((file) => (parse(readTreeFile(file)) as RuleTests).tests));
  t.ok(alerts.length > 40 && tested.length > 10);
  for (const alert of alerts)
    t.ok(
      provoked.includes(alert) || tested.includes(alert),
      `${alert}: provoke it in test/fault/alert-table.ts, or add its test for promtool`,
    );
  t.same(
    Object.keys(ONLY_BY_PROMTOOL).toSorted(),
    alerts.filter((alert) => !provoked.includes(alert)).toSorted(),
    'exactly the alerts that test/fault does not provoke have a reason',
  );
});
