import type { ReactNode } from 'react'
import { administrators } from '../../../lib/management/resources/administrators'
import { valueLabel } from '../../../lib/server/next/console/form'
import {
  type Console,
  openConsole,
  type PageQuery,
  pathValuesIn,
  troubleOf,
  valuesIn,
} from '../../../lib/server/next/console/page'
import { type ConsoleKey, say } from '../../../lib/text/console'
import { Forbid } from './forbid'
import { Busy, Forbidden, Invalid, Missing, Notice } from './states'

type Props = { params: Promise<PageQuery>; searchParams: Promise<PageQuery> }

export type PageInput = {
  console: Console
  /** The parts of the address in brackets, decoded. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
}

/** A page of the console: signed in, and with every refusal of an operation drawn as a page. */
export const consolePage =
  (render: (input: PageInput) => Promise<ReactNode>) =>
  async ({ params, searchParams }: Props) => {
    const console = await openConsole()
    const query = valuesIn(await searchParams)
    try {
      const content = await render({ console, params: pathValuesIn(await params), query })
      return (
        <>
          <Done what={query.done} />
          {content}
        </>
      )
    } catch (error) {
      const trouble = error instanceof Forbid ? ({ kind: 'forbidden' } as const) : troubleOf(error)
      if (trouble.kind === 'forbidden')
        return <Forbidden role={valueLabel(administrators.update, 'role', console.person.role)} />
      if (trouble.kind === 'missing') return <Missing />
      return trouble.kind === 'invalid' ? <Invalid message={trouble.message} /> : <Busy />
    }
  }

const DONE: Readonly<Record<string, ConsoleKey>> = {
  saved: 'form.saved',
  created: 'form.created',
  deleted: 'form.deleted',
  done: 'form.done',
}

function Done({ what }: { what: string | undefined }) {
  const key = what !== undefined && Object.hasOwn(DONE, what) ? DONE[what] : undefined
  return key ? <Notice>{say(key)}</Notice> : null
}
