// Plans the changes of a tenant file: a function of the file and the stored configuration (and of random ids for new rows).
// Any invalid value refuses the whole file, with all its problems at once; unknown fields are only reported.
import { SCRIPT_BUNDLE } from './code-files'
import { COPIES } from './configuration'
import { contextOf, type PlanBasis, type PlanContext, unsetInChanges } from './context'
import { type JsonObject, newTenant, type Plan, TenantFileError } from './model'
import { SECTIONS } from './sections'

type PlanInput = Omit<PlanBasis, 'copies'> & { file: string; document: JsonObject }

export async function planTenant({ file, document, stored, ...input }: PlanInput): Promise<Plan> {
  const context = contextOf({ ...input, stored, copies: COPIES })
  if (!stored.tenant) createTenant(context)
  for (const section of SECTIONS) {
    const given = document[section.name]
    if (given !== undefined && given !== null) await section.plan(given, context)
  }
  if (context.problems.length === 0) context.problems.push(...unsetInChanges(context))
  if (context.problems.length > 0) throw new TenantFileError(file, context.problems)
  const notApplied = [...unknownSections(document), ...context.notApplied]
  const { changes, secrets, algorithms, stored: after } = context
  return { changes, notApplied, secrets, algorithms, after }
}

function createTenant(context: PlanContext): void {
  const row = newTenant(context.tenantId)
  context.changes.push({
    section: 'tenant',
    action: 'create',
    name: context.tenantId,
    details: [],
    writes: [{ table: 'tenant', row, run: ({ createTenant }) => createTenant(row.name) }],
    records: [],
  })
  context.stored.tenant = row
}

/** An empty section requests nothing. */
const unknownSections = (document: JsonObject): string[] =>
  Object.keys(document).filter((name) => !isKnown(name) && !isEmpty(document[name]))

const isKnown = (name: string): boolean => name === SCRIPT_BUNDLE || SECTIONS.some((section) => section.name === name)

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
