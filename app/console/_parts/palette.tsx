'use client'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { FindAnswer } from '../../../lib/server/next/console/ask'
import type { InspectedSent } from '../../../lib/server/next/console/inspect-sent'
import { THEMES } from '../../../lib/server/next/console/themes'
import { say } from '../../../lib/text/console'
import { chooseTheme } from './actions'
import { Dialog } from './dialog'
import type { FinderCommand, FinderPlace } from './finder'
import { recentOf } from './recent'

type Props = {
  owner: string
  places: readonly FinderPlace[]
  commands: readonly FinderCommand[]
  close(): void
  showKeys(): void
}

/** Milliseconds without a further key. */
const PAUSE = 180
/** Characters, as the server reads (lib/server/next/console/inspect-sent.ts). */
const MAX_SENT = 100_000

type Answered = FindAnswer & { state: 'idle' | 'looking' | 'there' | 'failed' }

const IDLE: Answered = { state: 'idle', objects: [], inspected: null }

/** Asks the server for what is typed. It is posted, and never part of an address. */
function useFound(text: string): Answered {
  const [found, setFound] = useState(IDLE)
  useEffect(() => {
    if (text.trim().length < 2) {
      setFound(IDLE)
      return
    }
    const leaving = new AbortController()
    setFound((before) => ({ ...before, state: 'looking' }))
    const timer = setTimeout(() => {
      ask(text, leaving.signal).then(setFound, () => {
        if (!leaving.signal.aborted) setFound({ ...IDLE, state: 'failed' })
      })
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [text])
  return found
}

async function ask(text: string, signal: AbortSignal): Promise<Answered> {
  const body = new URLSearchParams({ text: text.slice(0, MAX_SENT) })
  const response = await fetch('/console/find/ask', { method: 'POST', body, signal })
  if (response.status === 401) window.location.reload()
  if (!response.ok) return { ...IDLE, state: 'failed' }
  return { ...((await response.json()) as FindAnswer), state: 'there' }
}

export default function Palette({ owner, places, commands, close, showKeys }: Props) {
  const router = useRouter()
  const [text, setText] = useState('')
  const { state, objects, inspected } = useFound(text)
  const go = (href: string): void => {
    close()
    router.push(href)
  }
  const has = (title: string): boolean => title.toLowerCase().includes(text.trim().toLowerCase())
  const paint = (theme: string): void => {
    const form = new FormData()
    form.set('theme', theme)
    close()
    void chooseTheme(form)
  }
  const signOut = (): void =>
    document.querySelector<HTMLFormElement>('form[action="/console/auth/sign-out"]')?.requestSubmit()
  const actions = [
    ...commands.map(({ title, href }) => ({ title, act: () => go(href) })),
    ...THEMES.map((theme) => ({
      title: say('find.command.theme', { theme: say(`theme.${theme}`) }),
      act: () => paint(theme),
    })),
    { title: say('find.command.keys'), act: showKeys },
    { title: say('app.sign_out'), act: signOut },
  ]
  const recent = text.trim() === '' ? recentOf(owner) : []
  return (
    <Dialog label={say('find.title')} close={close}>
      <Command shouldFilter={false} label={say('find.title')} loop>
        <Command.Input
          className="co-input"
          value={text}
          onValueChange={setText}
          placeholder={say('find.placeholder')}
        />
        <p role="status" className="co-hint co-find-state">
          {stateOf(state, objects.length > 0 || inspected !== null)}
        </p>
        {inspected && <Inspected inspected={inspected} />}
        <Command.List className="co-find-list" label={say('find.found')}>
          <Group heading={say('find.found')} items={objects.map((each) => ({ ...each, act: () => go(each.href) }))} />
          {inspected && (
            <Group
              heading={say('find.places')}
              items={inspected.links.map(({ title, href }) => ({ title, act: () => go(href) }))}
            />
          )}
          <Group
            heading={say('find.recent')}
            items={recent.map(({ title, href }) => ({ title, act: () => go(href) }))}
          />
          <Group
            heading={say('find.places')}
            items={places.filter(({ title }) => has(title)).map(({ title, path }) => ({ title, act: () => go(path) }))}
          />
          <Group heading={say('find.commands')} items={actions.filter(({ title }) => has(title))} />
        </Command.List>
      </Command>
    </Dialog>
  )
}

function stateOf(state: Answered['state'], isFound: boolean): string {
  if (state === 'looking') return say('find.looking')
  if (state === 'failed') return say('find.failed')
  return state === 'there' && !isFound ? say('find.none') : ''
}

type Item = { title: string; kind?: string; detail?: string; href?: string; act(): void }

function Group({ heading, items }: { heading: string; items: readonly Item[] }) {
  if (items.length === 0) return null
  return (
    <Command.Group heading={heading} className="co-find-group">
      {items.map(({ title, kind, detail, href, act }) => (
        <Command.Item
          key={`${heading} ${href ?? title}`}
          value={`${heading} ${href ?? title}`}
          onSelect={act}
          className="co-find-item"
        >
          <span className="co-find-title">
            <bdi>{title}</bdi>
          </span>
          {detail && <bdi className="co-find-detail">{detail}</bdi>}
          {kind && <span className="co-badge">{kind}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  )
}

/** What was pasted, for who reads it; it is nowhere kept. */
function Inspected({ inspected: { title, verdict, isOurs, facts, content } }: { inspected: InspectedSent }) {
  return (
    <section className="co-inspected" aria-label={title}>
      <p className="co-panel-title">{title}</p>
      <p className={isOurs ? 'notice' : 'notice notice-error'}>
        {verdict} {say('find.nowhere')}
      </p>
      {facts.length > 0 && (
        <dl className="co-inspected-facts">
          {facts.map(([name, value]) => (
            <div key={`${name} ${value}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {content && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
        <pre className="co-raw" tabIndex={0}>
          {content}
        </pre>
      )}
    </section>
  )
}
