'use client'
import Link from 'next/link'
import { type FormEvent, useEffect, useState } from 'react'
import { say } from '../../../lib/text/console'

type View = { name: string; href: string }

const KEY = 'latchkey-console-log-views'
const MAX_VIEWS = 30
const PATH = '/console/logs'

/** What is stored may be anything: only names and addresses of the log are views. */
function storedViews(): View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView).slice(0, MAX_VIEWS) : []
  } catch {
    return []
  }
}

const isView = (each: unknown): each is View => {
  const { name, href } = (each ?? {}) as Partial<View>
  return typeof name === 'string' && typeof href === 'string' && (href === PATH || href.startsWith(`${PATH}?`))
}

/** Filters of the log under a name, in this browser. */
export function SavedViews({ here }: { here: string }) {
  const [views, setViews] = useState<View[] | null>(null)
  useEffect(() => setViews(storedViews()), [])
  if (views === null) return null
  const keep = (next: View[]) => {
    setViews(next)
    localStorage.setItem(KEY, JSON.stringify(next))
  }
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name') ?? '').trim()
    if (name === '') return
    keep([...views.filter((view) => view.name !== name), { name, href: here }].slice(-MAX_VIEWS))
    form.reset()
  }
  return (
    <section className="co-saved" aria-label={say('logs.saved')}>
      <h2 className="co-panel-title">{say('logs.saved')}</h2>
      <p className="co-hint">{say('logs.saved.lead')}</p>
      {views.length > 0 && (
        <ul className="co-saved-list">
          {views.map(({ name, href }) => (
            <li key={name}>
              <Link className="co-button co-button-small" href={href} prefetch={false}>
                <bdi>{name}</bdi>
              </Link>
              <button
                type="button"
                className="co-button co-button-small"
                aria-label={say('logs.saved.remove', { name })}
                onClick={() => keep(views.filter((view) => view.name !== name))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="co-search" onSubmit={save}>
        <label className="co-hidden" htmlFor="view-name">
          {say('logs.saved.name')}
        </label>
        <input id="view-name" className="co-input" name="name" maxLength={60} placeholder={say('logs.saved.name')} />
        <button type="submit" className="co-button">
          {say('logs.saved.save')}
        </button>
      </form>
    </section>
  )
}
