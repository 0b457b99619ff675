// `hooks`: the vendor's hooks. One that needs what does not exist here is reported; it stays and fails, so that its check is not skipped
// (threat-model.md AC3).
import * as z from 'zod'
import { ownMember } from '../../kernel/json'
import { checkHook, HOOK, newHookId } from '../../management/resources/hooks'
import { openActionSecret, sealActionSecret } from '../../rules/actions/action'
import { hook, hookSecrets, readHook, type StoredHook } from '../../rules/scripts/hooks'
import { isCodeFile } from '../code-files'
import type { PlanContext } from '../context'
import type { Configuration, DocumentRow, JsonObject } from '../model'
import { putDocument } from './documents'
import { type ObjectKind, objectsSection } from './objects'

/** What the vendor's export has in place of the value of a secret. */
const HIDDEN = '_VALUE_NOT_SHOWN_'

const fields = z
  .object({ ...hook.shape, id: z.string(), secrets: hookSecrets })
  .partial()
  .required({ name: true })

const documentsIn = ({ documents }: Configuration): DocumentRow[] => documents.filter(({ kind }) => kind === HOOK)
const hooksIn = (stored: Configuration): StoredHook[] => documentsIn(stored).flatMap(({ body }) => readHook(body) ?? [])

/** The vendor's directory format writes names of hooks in lower case, with hyphens. */
const sameName = (one: unknown, other: unknown): boolean => spelled(one) === spelled(other)
const spelled = (name: unknown): string => String(name).toLowerCase().replaceAll(' ', '-')

const kind: ObjectKind<DocumentRow> = {
  section: 'hooks',
  fields,
  all: documentsIn,
  isNamed: ({ body }, { name }) => sameName(body.name, name),
  build(entry, before, path, context) {
    const { id: _, secrets, ...given } = fields.parse(entry)
    const sent = Object.entries(given).filter(([, value]) => value !== undefined)
    const read = before && readHook(before.body)
    const { sealed = {}, ...known } = read ?? {}
    const made = hook.safeParse({
      enabled: false,
      ...known,
      ...Object.fromEntries(sent),
      name: read?.name ?? given.name,
    })
    if (!made.success || isCodeFile(made.data.script)) {
      context.notApplied.push(
        `${path}: ${made.success ? `${made.data.script} cannot be read beside the tenant file` : 'needs script and triggerId'}`,
      )
      return null
    }
    const others = hooksIn(context.stored).filter(({ name }) => !sameName(name, given.name))
    const why = checkHook(made.data, others)
    if (why !== null) context.notApplied.push(`${path}: ${why}; it fails`)
    const body = { ...made.data, sealed: sealedOf(secrets, sealed, path, context) }
    return { kind: HOOK, id: before?.id ?? newHookId(context.random), body }
  },
  name: ({ body }) => String(body.name),
  shown: ({ body }) => shownHook(readHook(body)),
  secrets: ({ body }, vault): JsonObject =>
    Object.fromEntries(
      Object.entries(readHook(body)?.sealed ?? {}).map(([name, sealed]) => [
        `secrets.${name}`,
        openActionSecret(sealed, vault),
      ]),
    ),
  put: putDocument,
  write: (row) => ({ table: 'document', row }),
}

function sealedOf(
  given: Readonly<Record<string, string>> | undefined,
  before: Record<string, string>,
  path: string,
  { vault, random, notApplied }: PlanContext,
): Record<string, string> {
  if (given === undefined) return before
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const kept = ownMember(before, name)
      if (value === HIDDEN && kept === undefined) notApplied.push(`${path}.secrets: ${name} has no value`)
      if (value === HIDDEN) return kept === undefined ? [] : [[name, kept]]
      const same = kept !== undefined && openActionSecret(kept, vault) === value
      return [[name, same ? kept : sealActionSecret(value, vault, random)]]
    }),
  )
}

function shownHook(read: StoredHook | null): JsonObject {
  if (!read) return {}
  const { sealed, ...shown } = read
  return { ...shown, secrets: Object.fromEntries(Object.keys(sealed).map((name) => [name, HIDDEN])) }
}

export const hooks = objectsSection(kind, 'name')
