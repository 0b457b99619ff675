// What single keys mean on a page of the console. They mean nothing in a field, in a dialog, or where a person has turned them off
// (WCAG 2.1.4).

const STORED = 'latchkey-console.keys'

export const areKeysOn = (): boolean => window.localStorage.getItem(STORED) !== 'off'

export const turnKeys = (isOn: boolean): void => {
  if (isOn) window.localStorage.removeItem(STORED)
  else window.localStorage.setItem(STORED, 'off')
}

type Place = { path: string; key: string | undefined }

export type KeyMeaning =
  | { kind: 'begin' }
  | { kind: 'help' }
  | { kind: 'go'; path: string }
  /** Something of the list that is shown. */
  | { kind: 'list'; act(): void }

export function keyMeant(event: KeyboardEvent, isAfterG: boolean, places: readonly Place[]): KeyMeaning | null {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (ctrlKey || metaKey || altKey || isTypedInto(target) || document.querySelector('dialog[open]')) return null
  if (isAfterG) {
    const place = places.find((each) => each.key === key)
    return place ? { kind: 'go', path: place.path } : null
  }
  if (key === 'g') return { kind: 'begin' }
  if (key === '?') return { kind: 'help' }
  const act = LIST_KEYS[key]
  return act ? { kind: 'list', act } : null
}

/** Keys of a checkbox type nothing. */
const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')

const LIST_KEYS: Readonly<Record<string, () => void>> = {
  j: () => moveTo(1),
  k: () => moveTo(-1),
  x: () => currentRow()?.querySelector<HTMLInputElement>('[data-row-check]')?.click(),
  '/': () => document.querySelector<HTMLInputElement>('[data-list-search]')?.select(),
}

const currentRow = (): Element | null => document.activeElement?.closest('.co-table tbody tr') ?? null

function moveTo(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('.co-table tbody tr')]
  const here = rows.indexOf(currentRow() as Element)
  const next = here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step
  rows[next]?.querySelector<HTMLElement>('.co-row-link')?.focus()
}
