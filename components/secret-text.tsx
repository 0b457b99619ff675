import type { ReactNode } from 'react'
import type { Translate } from '../lib/text/catalogue'

type Props = { id: string; text: string; label: string; t: Translate; children?: ReactNode }

const GROUP = 4

/**
 * A secret to write down or copy. The gaps between groups are visual only: the selected or copied text has no gaps. The copy
 * button stays hidden until comfort.js enables it.
 */
export function SecretText({ id, text, label, t, children }: Props) {
  return (
    <div className="secret">
      <p className="secret-label">{label}</p>
      <p className="secret-text" id={id} dir="ltr" translate="no">
        {groupsOf(text).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one text never move.
          <span key={index}>{group}</span>
        ))}
      </p>
      <div className="secret-tools">
        <button type="button" className="tool" hidden data-copy={id} data-done={t('copy.copied')} aria-live="polite">
          {t('copy.copy')}
        </button>
        {children}
      </div>
    </div>
  )
}

const groupsOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / GROUP) }, (_, index) => text.slice(index * GROUP, (index + 1) * GROUP))
