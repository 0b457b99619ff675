import { safeLink } from '../../../components/safe-url'
import type { InboxMessage } from '../../../lib/data/outbox/inbox'
import { CopyButton } from '../../_shared/copy-button'
import { CHANNEL_NAMES, hrefOf, timeOf, titleOf } from './words'

type Props = { messages: InboxMessage[]; shown: string | undefined; to: string | undefined }

export function MessageList({ messages, shown, to }: Props) {
  if (messages.length === 0) {
    return (
      <p className="outbox-empty">
        {to ? 'Nothing was sent to this address.' : 'Nothing was sent yet. Ten wrong passwords in a row will do it.'}
      </p>
    )
  }
  return (
    <ol className="letters">
      {messages.map((message) => (
        <li key={message.id}>
          <a
            className="letter"
            href={hrefOf({ id: message.id, to })}
            aria-current={message.id === shown ? 'true' : undefined}
          >
            <span className="letter-subject">{titleOf(message)}</span>
            <span className="letter-to">{message.to}</span>
            <span className="letter-when">
              {CHANNEL_NAMES[message.channel]} · <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
            </span>
          </a>
          <LetterWays message={message} />
        </li>
      ))}
    </ol>
  )
}

/** What most messages are opened for: the code or the link. */
function LetterWays({ message }: { message: InboxMessage }) {
  const { code, to } = message
  const link = safeLink(message.link ?? undefined)
  return (
    <>
      {code !== null && (
        <p className="letter-way">
          <code className="letter-code">{code}</code>
          <CopyButton value={code} of={`the code for ${to}`} />
        </p>
      )}
      {link && (
        <p className="letter-way">
          <a className="letter-link" href={link} target="_blank" rel="noopener noreferrer">
            {link}
          </a>
          <CopyButton value={link} of={`the link for ${to}`} />
        </p>
      )}
    </>
  )
}
