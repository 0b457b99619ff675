/**
 * A heading whose words with a hyphen are not broken at it (“sign-in”), unless one is wider than the page. CSS has no property for that, and a
 * non-breaking hyphen is another letter to a search in the page.
 */
export const Unbroken = ({ text }: { text: string }) =>
  text.split(/( +)/).map((word, at) =>
    HYPHENATED.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text have no other identity.
      <span key={at} className="unbroken">
        {word}
      </span>
    ) : (
      word
    ),
  )

const HYPHENATED = /[\p{L}\p{N}]-[\p{L}\p{N}]/u
