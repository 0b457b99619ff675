import type { Metadata } from 'next'
import { jobs } from '../../../../lib/management/jobs/resource'
import { connections } from '../../../../lib/management/resources/connections'
import { DEFAULT_EXPORT } from '../../../../lib/server/next/console/people-export'
import { isConsoleKey, say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'

export const metadata: Metadata = { title: say('export.title') }

export default consolePage(async ({ console }) => {
  if (!console.may(jobs.usersExports)) throw new Forbid()
  const all = console.may(connections.list) ? await console.read(connections.list, { query: { per_page: '100' } }) : []
  return (
    <>
      <Head
        title={say('export.title')}
        lead={say('export.lead')}
        back={{ href: '/console/users', title: say('users.title') }}
      />
      <Panel title={say('export.what')} lead={say('export.what.lead')}>
        <SettingsForm
          operation={jobs.usersExports}
          members={['connection_id', 'format', 'fields']}
          value={DEFAULT_EXPORT}
          choices={{
            connection_id: [
              { value: '', label: say('export.connection.all') },
              ...all.map(({ id = '', name }) => ({ value: id, label: name })),
            ],
            fields: DEFAULT_EXPORT.fields.map((field) => ({
              value: JSON.stringify(field),
              label: labelOf(field.name),
            })),
          }}
          submitLabel={say('export.start')}
          next="/console/users/export/{id}"
        />
      </Panel>
    </>
  )
})

function labelOf(name: string): string {
  const key = [`import.to.${name}.all`, `import.to.${name}`, `export.field.${name}`].find(isConsoleKey)
  return key === undefined ? name : say(key)
}
