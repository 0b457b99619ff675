import Link from 'next/link'
import { mayOpen } from '../../../lib/server/next/console/log-names'
import { type ObjectNames, type ShownLogEntry, sentenceOf } from '../../../lib/server/next/console/log-sentences'
import type { Console } from '../../../lib/server/next/console/page'

type Props = { entry: ShownLogEntry; names: ObjectNames; console: Console }

/** A record in words; the objects that it names are links where the role may open them. */
export function Sentence({ entry, names, console }: Props) {
  return (
    <span className="co-sentence">
      {sentenceOf(entry, names).map(({ text, href }) =>
        href !== undefined && mayOpen(console, href) ? (
          <Link key={text} href={href} prefetch={false}>
            <bdi>{text}</bdi>
          </Link>
        ) : href === undefined ? (
          text
        ) : (
          <bdi key={text}>{text}</bdi>
        ),
      )}
    </span>
  )
}
