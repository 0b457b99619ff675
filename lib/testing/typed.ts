/** A code as phones and keyboards of other scripts deliver it: direction marks, no-break spaces, a dash, digits of two scripts. */
export const asPasted = (code: string): string => {
  const middle = Math.ceil(code.length / 2)
  const [arabic, wide] = [code.slice(0, middle), code.slice(middle)].map((half, index) =>
    half.replace(/\d/g, (digit) => String.fromCodePoint((index === 0 ? 0x660 : 0xff10) + Number(digit))),
  )
  return `\u200e${arabic}\u00a0\u2011${wide?.toLowerCase()}\u202c`
}
