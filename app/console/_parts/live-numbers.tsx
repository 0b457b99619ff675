'use client'
import { type ReactNode, useEffect, useState } from 'react'
import type { Now } from '../../../lib/server/next/console/activity'
import { say } from '../../../lib/text/console'

const EVERY_MS = 15_000
const SHOWN = ['logins', 'signups', 'failures'] as const
const LAST = 15

type Props = {
  first: Now
  language: string
  /** Numbers that change slowly, behind those of today. */
  children: ReactNode
}

/** What happened in the last minutes and today; asked again while the page is looked at. */
export function LiveNumbers({ first, language, children }: Props) {
  const [{ minutes, today }, setNow] = useState(first)
  useEffect(() => {
    const ask = async (): Promise<void> => {
      if (document.hidden) return
      const answer = await fetch('/console/now').catch(() => null)
      if (answer?.ok) setNow((await answer.json()) as Now)
    }
    const timer = setInterval(() => void ask(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const numbers = new Intl.NumberFormat(language)
  return (
    <>
      <dl className="co-numbers">
        {SHOWN.map((name) => {
          const values = minutes[name]
          const most = Math.max(1, ...values)
          return (
            <div key={name} className="co-number">
              <dt>{say(`home.live.${name}`)}</dt>
              <dd>
                {numbers.format(values.slice(-LAST).reduce((total, each) => total + each, 0))}
                <svg className="co-minutes" viewBox="0 0 60 12" aria-hidden="true" focusable="false">
                  {values.map((value, place) => (
                    // The places are the minutes.
                    // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order.
                    <rect key={place} x={place} y={12 - (value / most) * 12} width="0.8" height={(value / most) * 12} />
                  ))}
                </svg>
              </dd>
            </div>
          )
        })}
      </dl>
      <dl className="co-numbers">
        {SHOWN.map((name) => (
          <div key={name} className="co-number">
            <dt>{say(`home.today.${name}`)}</dt>
            <dd>{numbers.format(today[name])}</dd>
          </div>
        ))}
        {children}
      </dl>
    </>
  )
}
