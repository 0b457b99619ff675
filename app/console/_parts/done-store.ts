// What the page says of the form that was saved in it last, while it stays. A page that is loaded has it in its address (`?done=saved`).

type Said = string | null

const listeners = new Set<(said: Said) => void>()
let saves = 0
let isNew = false

/** Null while a form is being sent. */
export function announce(said: Said): void {
  if (said !== null) saves += 1
  for (const listen of listeners) listen(said)
}

export function hear(listen: (said: Said) => void): () => void {
  listeners.add(listen)
  return () => {
    listeners.delete(listen)
  }
}

/** How many forms were saved in this document. */
export const savesSoFar = (): number => saves

/** Another page is shown because of a form: pages that were fetched ahead of it may be older. */
export const noteArrival = (): void => {
  isNew = true
}

export function takeArrival(): boolean {
  const was = isNew
  isNew = false
  return was
}
