// Prints a plan: what is created, what changes, and what of the file is not applied.
import type { Change, ChangeRecord, MadeSecret, Plan } from './model'

const SIGN = { create: '+', update: '~' } as const

export function describePlan({ changes, notApplied }: Plan): string[] {
  return [
    ...(changes.length === 0 ? ['  no changes'] : changes.flatMap(describeChange)),
    ...notApplied.map((path) => `  not applied: ${path}`),
  ]
}

const describeChange = ({ action, section, name, details }: Change): string[] => [
  `  ${SIGN[action]} ${section === name ? section : `${section}: ${name}`}`,
  ...details.map((detail) => `      ${detail}`),
]

/** For the audit log, once the plan is applied: a summary, and the records of the operations. */
export const recordsOf = (plan: Plan): ChangeRecord[] =>
  plan.changes.length === 0 ? [] : [{ change: summarizePlan(plan) }, ...plan.changes.flatMap(({ records }) => records)]

/** The changes by section and name; for users only their number. */
function summarizePlan({ changes }: Plan): string {
  const sections = [...new Set(changes.map(({ section }) => section))].map((section) => {
    const names = changes.filter((change) => change.section === section).map(({ name }) => name)
    return section === 'users' ? `${names.length} users` : `${section}: ${names.join(', ')}`
  })
  return `tenant file: ${sections.join('; ')}`
}

/** For a terminal only, never for the log. */
export const describeSecret = ({ name, clientId, secret }: MadeSecret): string =>
  `  client secret of ${name} (${clientId}), shown this once: ${secret}`
