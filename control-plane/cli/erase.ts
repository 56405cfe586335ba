import { type ErasedRows, erasePeople, eraseProject } from '../erasure/erase.js';
import type { ErasedEnvironment } from '../erasure/sql.js';
import { type EnvironmentRow, findEnvironmentNumber, findProject, listEnvironments } from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import { requireEnvironment } from './require-environment.js';
import type { ProgramDependencies } from './run.js';

/** Engines ship clicks within a second or two of the visit. */
const SETTLE_MS = 5_000;

export interface EraseOptions {
  readonly confirm?: string;
}

function requireConfirmation(given: string | undefined, wanted: string, what: string): void {
  if (given !== wanted)
    throw new CommandError(`this deletes ${what} permanently; to continue, add: --confirm ${JSON.stringify(wanted)}`, EXIT_USAGE);
}

function progressOf({ terminal }: ProgramDependencies): (partition: string) => void {
  return (partition) => terminal?.write(`erasing from ${partition}\n`);
}

async function withNumber(dependencies: ProgramDependencies, environment: EnvironmentRow): Promise<ErasedEnvironment> {
  return { ...environment, number: await findEnvironmentNumber(dependencies.database(), environment.id) };
}

function rowsOf(erased: ErasedRows): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(erased).filter(([, rows]) => rows > 0));
}

/** `linkd env erase`: deletes the data of visitors in an environment, and keeps its links and settings. */
export async function eraseEnvironment(
  id: string,
  { confirm }: EraseOptions,
  output: Output,
  dependencies: ProgramDependencies,
): Promise<void> {
  const environment = await withNumber(dependencies, await requireEnvironment(dependencies.database(), id));
  requireConfirmation(confirm, environment.link_host, `all clicks, statistics, installations and events of ${environment.link_host}`);
  const erased = await erasePeople(
    { database: dependencies.database(), clickStore: dependencies.clickStore(), onProgress: progressOf(dependencies) },
    environment,
  );
  output.object({ id, erased: rowsOf(erased) });
}

/** `linkd project delete`. */
export async function deleteProject(
  id: string,
  { confirm }: EraseOptions,
  output: Output,
  dependencies: ProgramDependencies,
): Promise<void> {
  const database = dependencies.database();
  const project = await findProject(database, id);
  if (project === null) throw new CommandError(`there is no project ${id}; see: linkd project list`, EXIT_NOT_FOUND);
  requireConfirmation(confirm, project.name, `the project "${project.name}" with both environments and everything that belongs to them`);
  const environments = await Promise.all((await listEnvironments(database, id)).map((row) => withNumber(dependencies, row)));
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, SETTLE_MS));
  const erased = await eraseProject(
    { database, clickStore: dependencies.clickStore(), onProgress: progressOf(dependencies), settle },
    id,
    environments,
  );
  output.object({ id, name: project.name, erased: rowsOf(erased) });
}
