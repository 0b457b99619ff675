// Placeholders in registered URLs, as the vendor has them. Each stands in the left-most label of the host of an http or https URL,
// never in the registrable domain, and the rest is compared exactly.
// - `*`: any part of the label, or all of it, as in `https://shop-*-team.example.com/cb`.
// - `{organization_name}`: the whole label is the name of the organization that the request is for.
// - Other text with `*` or a brace would never match what it is meant for, so it cannot be registered.
// - A pattern is never itself a target.

const WHOLE_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const ORGANIZATION_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** Scheme, the label, and the rest; a domain has two labels, except for `localhost`. */
const PATTERN = /^(https?:\/\/)([^./]*)((?:(?:\.[^./:?#\\@]+){2,}|\.localhost)(?::\d{1,5})?(?:[/?][^*{}]*)?)$/i
const WILDCARD = /^((?:[a-z0-9][a-z0-9-]*)?)\*((?:[a-z0-9-]*[a-z0-9])?)$/i
const ORGANIZATION = '{organization_name}'

type Pattern = { scheme: string; rest: string } & ({ before: string; after: string } | { organization: true })

function patternOf(entry: string): Pattern | null {
  const [, scheme, label = '', rest] = (/[*{}]/.test(entry) && PATTERN.exec(entry)) || []
  if (scheme === undefined || rest === undefined || /[*{}]/.test(rest)) return null
  if (label === ORGANIZATION) return { scheme, rest, organization: true }
  const [, before, after] = WILDCARD.exec(label) ?? []
  return before === undefined || after === undefined ? null : { scheme, rest, before, after }
}

/** Whether an entry has a placeholder where a target has its host. */
export const isPattern = (entry: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*[*{}]/i.test(entry)

/** The label of `url` in the place of the placeholder. */
const labelIn = (url: string, { scheme, rest }: Pattern): string | null =>
  url.startsWith(scheme) && url.endsWith(rest) && url.length > scheme.length + rest.length
    ? url.slice(scheme.length, url.length - rest.length)
    : null

/** Whether an entry matches this exact text by itself, or by its `*`. */
export function admits(registered: string, url: string): boolean {
  if (registered === url) return !isPattern(registered)
  const pattern = patternOf(registered)
  if (!pattern || 'organization' in pattern) return false
  const label = labelIn(url, pattern)
  if (label === null || !WHOLE_LABEL.test(label)) return false
  const { before, after } = pattern
  return label.length > before.length + after.length && label.startsWith(before) && label.endsWith(after)
}

/** Whether an entry depends on the organization of the request. */
export const namesOrganization = (entry: string): boolean => entry.includes(ORGANIZATION)

/** The name of the organization for which an entry matches this text; null if there is none. */
export function organizationNameIn(registered: string, url: string): string | null {
  const pattern = patternOf(registered)
  const label = pattern && 'organization' in pattern ? labelIn(url, pattern) : null
  return label !== null && ORGANIZATION_NAME.test(label) ? label : null
}

const MISPLACED =
  'must have a placeholder only in the left-most label of the host, of http or https, above a domain of two labels'

/** Why an entry could never match what it is meant for; null if it can. */
export function problemOfPattern(entry: string, { organization }: { organization: boolean }): string | null {
  if (!/[*{}]/.test(entry)) return null
  const pattern = patternOf(entry)
  if (!pattern) return MISPLACED
  if (!organization && 'organization' in pattern)
    return 'cannot have {organization_name}: only callbacks and allowed_origins can'
  return null
}
