// `hooks`: the vendor's hooks. One that needs what does not exist here is reported; it stays and fails, so that its check is not skipped
// (threat-model.md AC3).
import * as z from 'zod'
import { HIDDEN, hook, hookSecrets, readHook, type StoredHook } from '../../../identity/rules/scripts/hooks'
import { checkHook, HOOK, newHookId } from '../../resources/hooks'
import { isCodeFile } from '../code-files'
import type { Configuration, DocumentRow, JsonObject } from '../model'
import { documentsOf, putDocument } from './documents'
import { objectsSection, writtenKind } from './objects'
import { openedSecrets, sealedOf } from './secret-entries'

const fields = z
  .object({ ...hook.shape, id: z.string(), secrets: hookSecrets })
  .partial()
  .required({ name: true })

const documentsIn = documentsOf(HOOK)
const hooksIn = (stored: Configuration): StoredHook[] => documentsIn(stored).flatMap(({ body }) => readHook(body) ?? [])

/** The vendor's directory format writes names of hooks in lower case, with hyphens. */
const sameName = (one: unknown, other: unknown): boolean => spelled(one) === spelled(other)
const spelled = (name: unknown): string => String(name).toLowerCase().replaceAll(' ', '-')

const kind = writtenKind<DocumentRow>({
  section: 'hooks',
  fields,
  all: documentsIn,
  isNamed:
    ({ name }) =>
    ({ body }) =>
      sameName(body.name, name),
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
    const body = { ...made.data, sealed: sealedOf(secrets && entriesOf(secrets), sealed, path, context) }
    return { kind: HOOK, id: before?.id ?? newHookId(context.random), body }
  },
  name: ({ body }) => String(body.name),
  shown: ({ body }) => shownHook(readHook(body)),
  secrets: ({ body }, vault) => openedSecrets(readHook(body)?.sealed ?? {}, vault),
  put: putDocument,
  write: (row) => ({ table: 'document', row }),
})

/** What the vendor's export has in place of a value is none. */
const entriesOf = (secrets: Readonly<Record<string, string>>) =>
  Object.entries(secrets).map(([name, value]) => ({ name, value: value === HIDDEN ? undefined : value }))

function shownHook(read: StoredHook | null): JsonObject {
  if (!read) return {}
  const { sealed, ...shown } = read
  return { ...shown, secrets: Object.fromEntries(Object.keys(sealed).map((name) => [name, HIDDEN])) }
}

export const hooks = objectsSection(kind, 'name')
