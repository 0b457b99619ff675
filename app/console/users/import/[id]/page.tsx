import type { Metadata } from 'next'
import { jobs } from '../../../../../lib/management/jobs/resource'
import { openFile, problemIn, sentFile } from '../../../../../lib/server/next/console/people-import'
import { say } from '../../../../../lib/text/console'
import { Forbid } from '../../../_parts/forbid'
import { consolePage } from '../../../_parts/page'
import { Notice } from '../../../_parts/states'
import '../import.css'
import { SentFile } from './sent-file'
import { UnderWay } from './under-way'

export const metadata: Metadata = { title: say('import.title') }

/** The users that a page shows. */
const FIRST = 25

/** A file that was sent, until its import begins; then the import. */
export default consolePage(async ({ console, params: { id = '' }, query }) => {
  if (!console.may(jobs.usersImports)) throw new Forbid()
  const [opened, problem] = await Promise.all([openFile(id, FIRST), problemIn(query)])
  return (
    <>
      {problem !== null && <Notice kind="error">{problem}</Notice>}
      {opened
        ? await SentFile({ file: sentFile(opened.file, opened.records, query), console, query })
        : await UnderWay({ id, console })}
    </>
  )
})
