'use client'
import { useState } from 'react'
import { say } from '../../../lib/text/console'
import { useScripts } from './use-scripts'

type Props = {
  title: string
  language: string
  times: readonly { at: string; text: string }[]
  series: readonly { key: string; name: string; values: readonly string[] }[]
}

/** The numbers of a chart as a table. With scripts it is drawn once it is opened: four of a month are most of the first page. */
export function LineNumbers({ title, language, times, series }: Props) {
  const [isOpen, setOpen] = useState(false)
  const isDrawn = !useScripts() || isOpen
  return (
    <details className="co-lines-numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('home.chart.table')}</summary>
      {isDrawn && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys.
        <section className="co-lines-table" tabIndex={0} aria-label={title}>
          <table>
            <caption className="co-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{say('home.chart.time')}</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    <bdi>{name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map(({ at, text }, place) => (
                <tr key={at}>
                  <th scope="row">
                    <time lang={language} dateTime={at}>
                      {text}
                    </time>
                  </th>
                  {series.map(({ key, values }) => (
                    <td key={key}>{values[place]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
