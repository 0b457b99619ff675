import { unstable_rethrow } from 'next/navigation'
import type { ReactNode } from 'react'
import { administrators } from '../../../lib/management/resources/administrators'
import { valueLabel } from '../../../lib/server/next/console/form'
import {
  type Console,
  openConsole,
  type PageQuery,
  pathValuesIn,
  type Trouble,
  troubleOf,
  valuesIn,
} from '../../../lib/server/next/console/page'
import { setDocumentStatus } from '../../../lib/server/next/status'
import { Done } from './done'
import { Forbid, Nowhere } from './forbid'
import { Busy, Failed, Forbidden, Invalid, Missing } from './states'

type Props = { params: Promise<PageQuery>; searchParams: Promise<PageQuery> }

export type PageInput = {
  console: Console
  /** The parts of the address in brackets, decoded. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
}

/** A page of the console: signed in, and with every refusal of an operation drawn as a page with its status. */
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
      // A redirect, for one.
      unstable_rethrow(error)
      const trouble = troubleIn(error)
      setDocumentStatus(STATUS[trouble.kind])
      if (trouble.kind === 'forbidden')
        return <Forbidden role={valueLabel(administrators.update, 'role', console.person.role)} />
      if (trouble.kind === 'missing') return <Missing />
      if (trouble.kind === 'failed') return <Failed />
      return trouble.kind === 'invalid' ? <Invalid message={trouble.message} /> : <Busy />
    }
  }

function troubleIn(error: unknown): Trouble {
  if (error instanceof Forbid) return { kind: 'forbidden' }
  return error instanceof Nowhere ? { kind: 'missing' } : troubleOf(error)
}

const STATUS: Readonly<Record<Trouble['kind'], number>> = {
  forbidden: 403,
  missing: 404,
  invalid: 400,
  busy: 503,
  failed: 500,
}
