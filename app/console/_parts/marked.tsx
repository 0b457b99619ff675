/** A sentence whose names in backticks are set as code. */
export function Marked({ text }: { text: string }) {
  return text.split('`').map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order.
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  )
}
