/** A sentence whose names in backticks are set as code. */
export function Marked({ text }: { text: string }) {
  return text.split('`').map((part, place) =>
    // The parts never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above.
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  )
}
