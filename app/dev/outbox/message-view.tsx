import { safeLink } from '../../../components/safe-url'
import type { InboxMessage } from '../../../lib/data/outbox/inbox'
import { CopyButton } from '../../_shared/copy-button'
import { CHANNEL_NAMES, hrefOf, timeOf, titleOf } from './words'

/** One message as its recipient would see it, with its link and code. */
export function MessageView({ message, to }: { message: InboxMessage; to: string | undefined }) {
  const { channel, text, html, created_at } = message
  const title = titleOf(message)
  return (
    <article className="mail" aria-labelledby="subject">
      <a className="link mail-back" href={hrefOf({ to })}>
        All messages
      </a>
      <header className="mail-head">
        <h2 id="subject" className="mail-subject">
          {title}
        </h2>
        <p className="mail-facts">
          {CHANNEL_NAMES[channel]} to <strong>{message.to}</strong>,{' '}
          <time dateTime={created_at}>{timeOf(created_at)}</time>
        </p>
      </header>
      <Ways message={message} />
      {html !== '' && <MailFrame html={html} title={title} />}
      <details className="mail-text" open={html === ''}>
        <summary>Plain text</summary>
        <pre>{text}</pre>
      </details>
    </article>
  )
}

function Ways({ message: { link, code } }: { message: InboxMessage }) {
  const safe = safeLink(link ?? undefined)
  if (!safe && code === null) return null
  return (
    <div className="mail-ways">
      {code !== null && (
        <p className="mail-code">
          <code>{code}</code>
          <CopyButton value={code} of="code" />
        </p>
      )}
      {safe && (
        <a className="button button-primary" href={safe} target="_blank" rel="noopener noreferrer">
          Open the link
        </a>
      )}
    </div>
  )
}

/**
 * The mail's HTML is sandboxed without an origin, scripts, forms or navigation of this page; its links may open a tab. With
 * allow-scripts or allow-same-origin here, the author of a mail could act in this origin.
 */
function MailFrame({ html, title }: { html: string; title: string }) {
  return (
    <iframe
      className="mail-frame"
      title={title}
      srcDoc={html}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  )
}
