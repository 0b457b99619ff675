import type { AnswerOf } from '../../../../../lib/management/console-call'
import { jobs } from '../../../../../lib/management/jobs/resource'
import { connections } from '../../../../../lib/management/resources/connections'
import type { Console } from '../../../../../lib/server/next/console/page'
import type { SentFile as Sent } from '../../../../../lib/server/next/console/people-import'
import { type ConsoleKey, isConsoleKey, say } from '../../../../../lib/text/console'
import { Badge } from '../../../_parts/badge'
import { Head } from '../../../_parts/head'
import { Panel } from '../../../_parts/panel'
import { Empty } from '../../../_parts/states'
import { Entries } from './entries'

type Query = Readonly<Record<string, string>>
type Props = { file: Sent; console: Console; query: Query }

/** What is in the file, what its columns become and what an import would do. One form: its buttons show it again, or import it. */
export async function SentFile({ file, console, query }: Props) {
  const { id, product, people, columns, entries } = file
  const databases = console.may(connections.list)
    ? await console.read(connections.list, { query: { strategy: 'auth0', per_page: '100' } })
    : []
  const connection = databases.find((each) => each.id === query.connection) ?? databases[0]
  const mayUpsert = console.may(jobs.usersImports, 'upsert')
  const upsert = mayUpsert && query.upsert === 'true'
  const checked =
    connection?.id === undefined || entries.length === 0
      ? []
      : await console.read(jobs.usersImportsCheck, {
          body: { connection_id: connection.id, ...(upsert && { upsert }), users: entries },
        })
  return (
    <>
      <Head
        title={say('import.title')}
        lead={say('import.found', {
          people: people.toLocaleString('en'),
          columns: String(columns.length),
          product: say(`import.product.${product}`),
        })}
        back={{ href: '/console/users/import', title: say('import.again') }}
      />
      <form method="get" action={`/console/users/import/${id}`}>
        <input type="hidden" name="checked" value="1" />
        <input type="hidden" name="file" value={id} />
        <Panel title={say('import.columns')} lead={say('import.columns.lead')}>
          <table className="co-map">
            <thead>
              <tr>
                <th scope="col">{say('import.column')}</th>
                <th scope="col">{say('import.example')}</th>
                <th scope="col">{say('import.becomes')}</th>
              </tr>
            </thead>
            <tbody>
              {columns.map(({ name, example, target, targets }, place) => (
                <tr key={name}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  <td>
                    <bdi>{example === null ? say('import.hidden') : example || say('value.none')}</bdi>
                  </td>
                  <td>
                    <select
                      className="co-input"
                      name={`m${place}`}
                      defaultValue={target}
                      aria-label={`${say('import.becomes')}: ${name}`}
                    >
                      {targets.map((each) => (
                        <option key={each} value={each}>
                          {targetName(each)}
                        </option>
                      ))}
                    </select>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
        <Panel title={say('import.into')}>
          {connection ? (
            <div className="co-form">
              <div className="co-field">
                <label className="co-label" htmlFor="connection">
                  {say('import.database')}
                </label>
                <select id="connection" className="co-input" name="connection" defaultValue={connection.id}>
                  {databases.map((each) => (
                    <option key={each.id} value={each.id}>
                      {each.name}
                    </option>
                  ))}
                </select>
              </div>
              {mayUpsert && (
                <div className="co-field">
                  <label className="co-switch">
                    <input
                      className="co-check"
                      type="checkbox"
                      name="upsert"
                      value="true"
                      defaultChecked={upsert}
                      aria-describedby="upsert-hint"
                    />
                    <span className="co-label">{say('import.upsert')}</span>
                  </label>
                  <p id="upsert-hint" className="co-hint">
                    {say('import.upsert.help')}
                  </p>
                </div>
              )}
              <div className="co-field">
                <label className="co-switch">
                  <input
                    className="co-check"
                    type="checkbox"
                    name="mail"
                    value="true"
                    defaultChecked={query.mail === 'true'}
                  />
                  <span className="co-label">{say('import.mail')}</span>
                </label>
              </div>
              <div className="co-form-foot">
                <button type="submit" className="co-button">
                  {say('import.check')}
                </button>
              </div>
            </div>
          ) : (
            <Empty title={say('import.database.none')} />
          )}
        </Panel>
        {checked.length > 0 && <Preview checked={checked} />}
        {connection && (
          <Panel title={say('import.start')} lead={say('import.start.lead', { people: people.toLocaleString('en') })}>
            <div className="co-form-foot">
              <button
                type="submit"
                className="co-button co-button-primary"
                formAction="/console/users/import/start"
                formMethod="post"
              >
                {say('import.start')}
              </button>
              <button
                type="submit"
                className="co-button"
                name="discard"
                value="1"
                formAction="/console/users/import/start"
                formMethod="post"
              >
                {say('import.discard')}
              </button>
            </div>
          </Panel>
        )}
      </form>
    </>
  )
}

type Checked = AnswerOf<typeof jobs.usersImportsCheck>

function Preview({ checked }: { checked: Checked }) {
  const counted = (outcome: Checked[number]['outcome']): string =>
    String(checked.filter((each) => each.outcome === outcome).length)
  return (
    <Panel title={say('import.preview')} lead={say('import.preview.lead')}>
      <p>
        {say('import.counts', {
          count: String(checked.length),
          inserted: counted('inserted'),
          updated: counted('updated'),
          unchanged: counted('unchanged'),
          failed: counted('failed'),
        })}
      </p>
      <Entries
        label={say('import.preview.table')}
        entries={checked}
        outcome={({ outcome }) => <Badge danger={outcome === 'failed'}>{say(`import.outcome.${outcome}`)}</Badge>}
        otherwise={({ changes }) => changes.map((name) => targetName(name)).join(', ')}
      />
    </Panel>
  )
}

function targetName(target: string): string {
  if (target === '') return say('import.to.nothing')
  const [, holder] = /^(user_metadata|app_metadata)\./.exec(target) ?? []
  const key = holder
    ? `import.to.${holder}`
    : target.endsWith('_metadata')
      ? `import.to.${target}.all`
      : `import.to.${target}`
  return isConsoleKey(key) ? say(key satisfies ConsoleKey) : target
}
