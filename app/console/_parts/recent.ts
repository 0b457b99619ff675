// The objects that a person opened last, by the names that their pages have, in this browser alone and until the sign-out.

export type RecentObject = { href: string; title: string }

const STORED = 'latchkey-console.recent'
/** Of lists whose rows are selected (selection.tsx). */
const OWN = 'latchkey-console.selected.'
const MOST = 8

type Stored = { owner: string; objects: RecentObject[] }

export function recentOf(owner: string): RecentObject[] {
  try {
    const stored = JSON.parse(window.localStorage.getItem(STORED) ?? 'null') as Stored | null
    return stored?.owner === owner ? stored.objects : []
  } catch {
    return []
  }
}

/** The page of an object: `/console/users/<id>`. Its heading is read once it is there. */
export function keepRecent(owner: string, path: string): void {
  const [, , section, id, ...more] = path.split('/')
  if (!section || !id || id === 'new' || more.length > 0 || !WITH_OBJECTS.has(section)) return
  const title = document.querySelector('.co-head .co-title')?.textContent?.slice(0, 200)
  if (!title) return
  const others = recentOf(owner).filter(({ href }) => href !== path)
  const objects = [{ href: path, title }, ...others].slice(0, MOST)
  window.localStorage.setItem(STORED, JSON.stringify({ owner, objects } satisfies Stored))
}

const WITH_OBJECTS = new Set(['applications', 'apis', 'users', 'roles', 'organizations', 'connections', 'streams'])

export function forgetRecent(): void {
  window.localStorage.removeItem(STORED)
  for (const name of Object.keys(window.sessionStorage))
    if (name.startsWith(OWN)) window.sessionStorage.removeItem(name)
}
