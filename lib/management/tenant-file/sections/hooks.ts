// `hooks`: the vendor's hooks. One that needs what does not exist here is reported; it stays and fails, so that its check is not skipped
// (threat-model.md AC3).
import * as z from 'zod'
import { openActionSecret } from '../../../identity/tenant-code/actions/action'
import { HIDDEN, hook, hookSecrets, readHook, type StoredHook } from '../../../identity/tenant-code/scripts/hooks'
import { objectIn, ownMember } from '../../../kernel/json'
import { HOOK, hooks as resource } from '../../resources/hooks'
import { isCodeFile, unreadFile } from '../code-files'
import type { PlanContext } from '../context'
import type { DocumentRow, JsonObject } from '../model'
import { operate, put } from '../working-copy'
import { documentsOf } from './documents'
import { type ObjectKind, objectsSection } from './objects'
import { openedSecrets } from './secret-entries'

const fields = z
  .object({ ...hook.shape, id: z.string(), secrets: hookSecrets })
  .partial()
  .required({ name: true })

/** The vendor's directory format writes names of hooks in lower case, with hyphens. */
const spelled = (name: unknown): string => String(name).toLowerCase().replaceAll(' ', '-')

const kind: ObjectKind<DocumentRow> = {
  section: 'hooks',
  fields,
  all: documentsOf(HOOK),
  isNamed:
    ({ name }) =>
    ({ body }) =>
      spelled(body.name) === spelled(name),
  async operate({ id: _, name, secrets, ...given }, before, path, context) {
    const read = before && readHook(before.body)
    const { script = read?.script, triggerId = read?.triggerId } = given
    if (typeof script !== 'string' || triggerId === undefined || isCodeFile(script)) {
      const absent = triggerId !== undefined && typeof script === 'string'
      context.notApplied.push(`${path}: ${absent ? unreadFile(script) : 'needs script and triggerId'}`)
      return
    }
    const keepBroken = (why: string): void => void context.notApplied.push(`${path}: ${why}; it fails`)
    // The script is sent each time, so that what fails is reported each time.
    const body = before ? { ...given, script } : { name: name ?? null, ...given }
    const known = before && { id: before.id, shown: {} }
    const id = await put(resource, body, known, context, { keepBroken, movesHooks: true })
    if (secrets !== undefined) await setSecrets(id, read?.sealed ?? {}, objectIn(secrets), path, context)
  },
  name: ({ body }) => String(body.name),
  shown: ({ body }) => shownHook(readHook(body)),
  secrets: ({ body }, vault) => openedSecrets(readHook(body)?.sealed ?? {}, vault),
}

/** The list is complete. What the vendor's export has in place of a value is not a value. */
async function setSecrets(
  id: string,
  sealed: Readonly<Record<string, string>>,
  given: JsonObject,
  path: string,
  context: PlanContext,
): Promise<void> {
  const stored = (name: string): string | null => {
    const found = ownMember(sealed, name)
    return found === undefined ? null : openActionSecret(found, context.vault)
  }
  const door = { keepBroken: () => {} }
  const named = Object.entries(given)
  for (const [name, value] of named)
    if (value === HIDDEN && !Object.hasOwn(sealed, name))
      context.notApplied.push(`${path}.secrets: ${name} has no value`)
  const changed = named.filter(([name, value]) => value !== HIDDEN && stored(name) !== value)
  const gone = Object.keys(sealed).filter((name) => !Object.hasOwn(given, name))
  const params = { id }
  if (changed.length > 0)
    await operate(resource.secretsUpdate, { params, body: Object.fromEntries(changed) }, context, door)
  if (gone.length > 0) await operate(resource.secretsDelete, { params, body: gone }, context, door)
}

function shownHook(read: StoredHook | null): JsonObject {
  if (!read) return {}
  const { sealed, ...shown } = read
  return { ...shown, secrets: Object.fromEntries(Object.keys(sealed).map((name) => [name, HIDDEN])) }
}

export const hooks = objectsSection(kind, 'name')
