import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings } from '../../engine/settings.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { fileVariable, type Setting } from '../../shared/base/settings.js';
import { check, hasProgram } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
}

/** The fields that the tests below read. The types of the API check that each kind has its own fields. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> }; readonly spec: Pod };
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
    readonly replicas: number;
    readonly maxUnavailable: number;
    readonly ingress?: readonly { readonly from?: readonly object[]; readonly ports: readonly { readonly port: string }[] }[];
  };
}

const FOLDER = 'deploy/kubernetes';
const FILES = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
const MANIFESTS = FILES.flatMap((file) =>
  parseAllDocuments(readTreeFile(`${FOLDER}/${file}`)).map((document) => document.toJS() as Manifest),
);
const WORKLOADS = MANIFESTS.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
const SERVING = WORKLOADS.filter(({ kind }) => kind !== 'Job');
const JOB = WORKLOADS.find(({ kind }) => kind === 'Job') as Manifest;
const SETTINGS = new Map(
  readTreeFile(`${FOLDER}/settings.env`)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('=', 2) as [string, string]),
);

/** The modules with the types of the API's schemas: those of Kubernetes 1.34 and of the Prometheus Operator. */
const TYPES: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'batch/v1': 'kubernetes-models/batch/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

/**
 * The compiler's errors for the manifests as literals of the API's types. An unknown field at any depth, a wrong type and a
 * missing field are errors; the packages' own validators let unknown fields pass.
 */
function typeErrors(manifests: readonly unknown[]): readonly string[] {
  const name = join(ROOT, 'test/deploy/manifests-as-literals.ts');
  const text = manifests
    .map((manifest, index) => {
      const { apiVersion, kind } = manifest as Manifest;
      const type = `import('${TYPES[apiVersion]}').I${kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, null, 2)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const [fileExists, readFile] = [host.fileExists, host.readFile];
  host.fileExists = (file) => file === name || fileExists(file);
  host.readFile = (file) => (file === name ? text : readFile(file));
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

t.test('every manifest is valid according to the types of the API, and has no unknown field', async (t) => {
  for (const { apiVersion, kind } of MANIFESTS) t.ok(TYPES[apiVersion] !== undefined, `${apiVersion} ${kind}`);
  t.same(typeErrors(MANIFESTS), []);
  const misspelt = structuredClone(SERVING[0]) as unknown as { spec: { template: { spec: { containers: Record<string, unknown>[] } } } };
  (misspelt.spec.template.spec.containers[0] as Record<string, unknown>).readynessProbe = {};
  t.match(typeErrors([misspelt]).join(), /"readynessProbe"' does not exist/, 'an unknown field is reported');
});

t.test('the kustomization names every file but the example of the secret, and every image', async (t) => {
  const kustomization = parse(readTreeFile(`${FOLDER}/kustomization.yaml`)) as { resources: string[]; images: { name: string }[] };
  t.same(kustomization.resources.toSorted(), FILES.filter((name) => name !== 'secret.example.yaml').toSorted());
  const images = new Set(WORKLOADS.map(({ spec }) => spec.template.spec.containers[0].image));
  t.same(kustomization.images.map(({ name }) => name).toSorted(), [...images].toSorted());
});

/** What `kubectl apply --kustomize` would send for a folder; null if there is no kubectl, because Debian has no recent one. */
function rendered(t: Test, folder: string): readonly Manifest[] | null {
  // A missing kubectl is not a failure even if CI is set.
  const leftOut = (line: string) => t.comment(line);
  if (!hasProgram({ comment: leftOut, fail: leftOut }, 'kubectl')) return null;
  const { status, output } = check('kubectl', ['kustomize', folder]);
  t.equal(status, 0, output);
  return parseAllDocuments(output).map((document) => document.toJS() as Manifest);
}

t.test('a changed setting replaces the serving pods and does not change the job, which is immutable', async (t) => {
  const container = JOB.spec.template.spec.containers[0];
  t.same([container.envFrom, container.env], [undefined, [{ name: 'DATABASE_URL_FILE', value: SETTINGS.get('DATABASE_URL_FILE') }]]);
  const before = rendered(t, join(ROOT, FOLDER));
  if (before === null) return;
  const changed = join(temporaryFolder(t), 'kubernetes');
  cpSync(join(ROOT, FOLDER), changed, { recursive: true });
  appendFileSync(join(changed, 'settings.env'), 'CLICK_RETENTION_DAYS=90\n');
  const after = rendered(t, changed) as readonly Manifest[];
  const of = (manifests: readonly Manifest[], wanted: Manifest) =>
    manifests.find(({ kind, metadata }) => kind === wanted.kind && metadata.name === wanted.metadata.name) as Manifest;
  t.same(of(after, JOB), of(before, JOB));
  for (const workload of SERVING) {
    t.strictNotSame(of(after, workload).spec.template, of(before, workload).spec.template, workload.metadata.name);
    const map = after.find(({ kind }) => kind === 'ConfigMap');
    t.same(of(after, workload).spec.template.spec.containers[0].envFrom, [{ configMapRef: { name: map?.metadata.name } }]);
  }
});

interface Kustomization {
  readonly generatorOptions?: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly configMapGenerator: readonly { readonly name: string }[];
  readonly images: readonly { readonly newTag: string }[];
}

const KUSTOMIZATION = parse(readTreeFile(`${FOLDER}/kustomization.yaml`)) as Kustomization;
/** What a cluster receives: the files, and the maps made from settings. The secret exists before. */
const APPLIED: readonly Manifest[] = [
  ...MANIFESTS.filter(({ kind }) => kind !== 'Secret'),
  ...KUSTOMIZATION.configMapGenerator.map(
    ({ name }) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...KUSTOMIZATION.generatorOptions } }) as Manifest,
  ),
];

/** The namespace of a pod, and the maps from which it takes its environment. */
function needsOf({ spec }: Manifest): readonly Manifest[] {
  const maps = (spec.template.spec.containers[0].envFrom ?? []).map(({ configMapRef }) => configMapRef.name);
  return APPLIED.filter(({ kind, metadata }) => kind === 'Namespace' || (kind === 'ConfigMap' && maps.includes(metadata.name)));
}

t.test('the migration and its namespace are applied first and awaited, before anything that serves', async (t) => {
  const label = 'link-service/step';
  const first = APPLIED.filter(({ metadata }) => metadata.labels?.[label] === 'schema');
  t.same(first.map(({ kind }) => kind).toSorted(), ['Job', 'Namespace']);
  t.same(needsOf(JOB).length, 1);
  for (const need of needsOf(JOB)) t.ok(first.includes(need), need.kind);
  const steps = [
    'kubectl apply --kustomize deploy/kubernetes --selector link-service/step=schema',
    `kubectl --namespace link-service wait --for=condition=complete job/${JOB.metadata.name} --timeout=1h`,
    'kubectl apply --kustomize deploy/kubernetes',
  ];
  for (const page of ['deploy/README.md', 'deploy/upgrade.md', `${FOLDER}/kustomization.yaml`]) {
    const commands = [...readTreeFile(page).matchAll(/^(?:# +)?(kubectl (?:apply|.* wait) .*)$/gm)].map(([, command]) => command);
    t.same(commands, steps, page);
  }
  t.match(
    readTreeFile('deploy/upgrade.md'),
    /\nkubectl .* delete job migrate --ignore-not-found\nkubectl apply /,
    'an upgrade deletes the old job before it applies the new one',
  );
});

t.test('Argo CD makes the namespace before it runs the migration, and starts the rest after it', async (t) => {
  const wave = ({ metadata }: Manifest) => Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  // A hook of an earlier phase than Sync would run before all resources that are not hooks.
  t.equal(JOB.metadata.annotations?.['argocd.argoproj.io/hook'], 'Sync');
  t.same(needsOf(JOB).length, 1);
  for (const need of needsOf(JOB)) t.ok(wave(need) < wave(JOB), `${need.kind} ${need.metadata.name}`);
  for (const workload of SERVING) t.ok(wave(workload) > wave(JOB), workload.metadata.name);
  const namespace = APPLIED.find(({ kind }) => kind === 'Namespace') as Manifest;
  for (const other of APPLIED) t.ok(other === namespace || wave(namespace) < wave(other), `the namespace is made before ${other.kind}`);
  for (const { file, text } of FILES.map((file) => ({ file, text: readTreeFile(`${FOLDER}/${file}`) })))
    t.notMatch(text, /\bHelm\b/, `${file}: Helm is not mentioned`);
});

t.test('every variable is a setting of engine or control plane, and required settings are files of the secret', async (t) => {
  const tables: readonly Setting<unknown>[] = [...Object.values(controlPlaneSettings), ...Object.values(engineSettings)];
  const known = new Set(tables.flatMap(({ name, secret }) => (secret === true ? [name, fileVariable(name)] : [name])));
  for (const name of SETTINGS.keys()) t.ok(known.has(name), `${name} is a setting`);
  const secret = MANIFESTS.find(({ kind }) => kind === 'Secret') as unknown as { metadata: { name: string }; stringData: object };
  for (const { name, fallback, parse } of tables) {
    if (fallback === null) t.match(SETTINGS.get(fileVariable(name)), /^\/run\/secrets\/link-service\//, name);
    const value = SETTINGS.get(name);
    if (value !== undefined) t.doesNotThrow(() => parse(value), name);
  }
  for (const [name, path] of SETTINGS)
    if (name.endsWith('_FILE')) t.ok((path.split('/').at(-1) as string) in secret.stringData, `${name} names a key of the secret`);
  for (const { spec } of SERVING) t.same(spec.template.spec.containers[0].envFrom, [{ configMapRef: { name: 'link-service' } }]);
  for (const { spec } of WORKLOADS) {
    t.ok(spec.template.spec.volumes.some((volume) => volume.secret?.secretName === secret.metadata.name));
  }
});

t.test('ports are those that the processes listen on, and probes ask separately for liveness and readiness', async (t) => {
  const fallback = { links: engineSettings.port, admin: engineSettings.adminPort };
  const ports = {
    engine: fallback,
    'control-plane': { api: controlPlaneSettings.port, admin: controlPlaneSettings.adminPort },
  } as Readonly<Record<string, Readonly<Record<string, { readonly fallback: string }>>>>;
  for (const { metadata, spec } of SERVING) {
    const [container] = spec.template.spec.containers;
    const listened = Object.entries(ports[metadata.name] ?? {}).map(([name, setting]) => ({
      name,
      containerPort: Number(setting.fallback),
    }));
    t.same(container.ports, listened, metadata.name);
    t.same(container.livenessProbe?.httpGet, { path: '/health/live', port: 'admin' });
    t.same(container.startupProbe?.httpGet, { path: '/health/live', port: 'admin' });
    t.same(container.readinessProbe?.httpGet, { path: '/health/ready', port: metadata.name === 'engine' ? 'links' : 'admin' });
  }
  for (const { metadata, spec } of MANIFESTS.filter(({ kind }) => kind === 'Service')) {
    const workload = SERVING.find(({ spec: { template } }) =>
      Object.entries(spec.selector).every(([label, value]) => template.metadata.labels[label] === value),
    );
    for (const { targetPort } of spec.ports)
      t.ok(
        workload?.spec.template.spec.containers[0].ports?.some(({ name }) => name === targetPort),
        `${metadata.name}: ${targetPort}`,
      );
  }
});

t.test('a pod has time to leave load balancers and to drain while another one serves', async (t) => {
  for (const { metadata, spec } of SERVING) {
    const { terminationGracePeriodSeconds: grace = 0, containers } = spec.template.spec;
    const [command, seconds] = containers[0].lifecycle?.preStop.exec.command ?? [];
    t.equal(command, 'sleep');
    t.ok(grace >= Number(seconds) + DRAIN_DEADLINE_MS / 1000 + 5, metadata.name);
    t.ok(spec.replicas >= 2);
    const budget = MANIFESTS.find((other) => other.kind === 'PodDisruptionBudget' && other.metadata.name === metadata.name);
    t.equal(budget?.spec.maxUnavailable, 1);
  }
});

t.test('every pod runs as an ordinary user, without privileges and on a read-only root', async (t) => {
  for (const { metadata, spec } of WORKLOADS)
    t.match(
      spec.template.spec,
      {
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
        automountServiceAccountToken: false,
        containers: [
          {
            securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
            resources: { requests: {}, limits: { memory: /^\d+[MG]i$/ } },
          },
        ],
      },
      metadata.name,
    );
});

t.test('images have the tag of a release: the version without a v', async (t) => {
  const { version } = JSON.parse(readTreeFile('package.json')) as { version: string };
  t.ok(KUSTOMIZATION.images.length > 0);
  for (const { newTag } of KUSTOMIZATION.images) t.equal(newTag, version);
  t.ok(readTreeFile(`${FOLDER}/kustomization.yaml`).includes(`newTag: ${version}}`), 'the example of an overlay has the tag too');
});

t.test('only pods of the ingress namespace can connect, because their word about a visitor’s address is trusted', async (t) => {
  const hops = Number(SETTINGS.get('TRUSTED_PROXY_HOPS') ?? 0);
  t.ok(hops > 0 && !SETTINGS.has('TRUSTED_PROXIES'), 'every client that connects is trusted, so that network policies must name them');
  const rules = MANIFESTS.filter(({ kind }) => kind === 'NetworkPolicy').flatMap(({ spec }) => spec.ingress ?? []);
  const opening = rules.filter(({ ports }) => ports.some(({ port }) => port === 'links' || port === 'api'));
  t.same(
    opening.map(({ from }) => from),
    [[{ namespaceSelector: { matchLabels: { 'link-service/ingress': 'true' } } }]],
  );
  t.ok(
    rules.every(({ from }) => (from ?? []).length > 0),
    'no rule admits every client',
  );
  for (const page of ['deploy/README.md', `${FOLDER}/network-policies.yaml`])
    t.match(readTreeFile(page), /kubectl label namespace \S+ link-service\/ingress=true/, page);
});
