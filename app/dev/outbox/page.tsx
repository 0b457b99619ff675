import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { inbox, isDemo } from '../../../lib/server/next/demo'
import { Shell } from '../../_shared/shell'
import { Finder } from './finder'
import { MessageList } from './message-list'
import { MessageView } from './message-view'
import { Watch } from './watch'
import './outbox.css'

export const metadata: Metadata = { title: 'Outbox' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The messages that the server would have sent, for developers. */
export default async function OutboxPage({ searchParams }: Props) {
  const { id, to } = await searchParams
  const recipient = single(to)
  const [messages, demo] = await Promise.all([inbox({ to: recipient }), isDemo()])
  if (messages === null) notFound()
  const chosen = messages.find((message) => message.id === id)
  const shown = chosen ?? messages[0]
  return (
    <Shell current="/dev/outbox" demo={demo}>
      <div className="outbox" data-chosen={chosen ? true : undefined}>
        <div className="outbox-list">
          <h1 className="outbox-title">Outbox</h1>
          <p className="outbox-lead">What this server sends, kept here so that you can read it.</p>
          <Finder to={recipient} />
          <MessageList messages={messages} shown={shown?.id} to={recipient} />
          <Watch newest={messages[0]?.id ?? null} to={recipient} />
        </div>
        {shown && <MessageView message={shown} to={recipient} />}
      </div>
    </Shell>
  )
}

const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
