'use client'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import { say } from '../../../lib/text/console'
import { useScripts } from './use-scripts'

type Step = { title: string; href: string; done: boolean; note?: { text: string; href: string } }

const KEY = 'latchkey-console-first-steps'

/** The first steps of a new tenant, until all are done or this browser hides them. */
export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const hasScripts = useScripts()
  const [hidden, setHidden] = useState(false)
  useEffect(() => setHidden(localStorage.getItem(KEY) === 'hidden'), [])
  if (hidden || steps.every(({ done }) => done)) return null
  const hide = () => {
    localStorage.setItem(KEY, 'hidden')
    setHidden(true)
  }
  return (
    <section className="co-panel" aria-labelledby="first-steps">
      <div className="co-panel-about">
        <h2 id="first-steps" className="co-panel-title">
          {say('home.steps')}
        </h2>
        <p className="co-hint">{say('home.steps.lead')}</p>
        <button type="button" className="co-button co-button-small" onClick={hide} disabled={!hasScripts}>
          {say('home.steps.hide')}
        </button>
      </div>
      <ol className="co-rows">
        {steps.map(({ title, href, done, note }) => (
          <li key={title} className="co-row">
            <div className="co-row-text">
              {done ? (
                <s>{title}</s>
              ) : (
                <Link className="co-row-link" href={href} prefetch={false}>
                  {title}
                </Link>
              )}
              {note && (
                // A document of its own, because a browser marks the target of no other address.
                <a className="co-hint" href={note.href}>
                  {note.text}
                </a>
              )}
            </div>
            <span className="co-badge">{say(done ? 'home.steps.done' : 'home.steps.open')}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
