import type { ReactNode } from 'react'
import type { ZodType } from 'zod'
import type { Reference } from '../../../lib/management/console-call'
import type { RankedKind } from '../../../lib/management/operations/rank'
import { loginTests } from '../../../lib/management/resources/login-tests'
import { logins } from '../../../lib/management/resources/logins'
import { formGroups } from '../../../lib/server/next/console/form'
import type { Console } from '../../../lib/server/next/console/page'
import { choicesOf } from '../../../lib/server/next/console/pickers'
import { say } from '../../../lib/text/console'
import { CopyableId } from './copy'
import { DeletePanel } from './delete-panel'
import { Facts } from './facts'
import { Forbid, Nowhere } from './forbid'
import { Head } from './head'
import { NewLink, TryLink } from './links'
import { type Column, Listed, type Listing } from './listing'
import { NotApplied } from './not-applied'
import { consolePage } from './page'
import { Panel } from './panel'
import { SettingsForm } from './settings-form'
import { SettingsPanels } from './settings-panels'
import { TestLinks } from './shares'
import { Above } from './states'
import { Tabs } from './tabs'

type Shown = Readonly<Record<string, unknown>> & { name: string }

/** The operations of a resource, whose objects are rows of its pages. */
type Operations<Row> = {
  list: Reference & { answer?: ZodType<Row[]> }
  read: Reference & { answer?: ZodType<Row> }
} & Readonly<Record<'create' | 'update' | 'delete', Reference>>

/** One of several pages of an object. */
export type ResourcePart<Row> = {
  /** Below the address of the object; empty for the first, which has facts and the deletion too. */
  name: string
  title: string
  /** The page is for roles that may call it. */
  operation: Reference
  /** Groups of members with controls on it. */
  groups: readonly string[]
  /** Whether the object has it. */
  exists?(row: Row): boolean
  more?(row: Row, console: Console): Promise<ReactNode>
}

/** A kind of objects whose pages need no hand: what the three pages show of it. */
export type ResourcePages<Row extends Shown> = {
  path: string
  operations: Operations<Row>
  title: string
  lead: string
  empty: string
  newTitle: string
  /** The member that names an object in addresses. */
  id: keyof Row & string
  nameOf?(row: Row): string
  columns: readonly Column<Row>[]
  /** The query parameter that searches by name, where the list has one. */
  search?: string
  /** Members of the form for something new. */
  newMembers: readonly string[]
  /** Members that the form for something new fixes. */
  newBody?: Readonly<Record<string, unknown>>
  /** Its row among the views of objects. */
  view?: string
  /** Its groups of members have titles `<section>.<group>` (lib/text/console). */
  section: string
  /** The body of a change, where its members depend on the object. */
  schemaOf?(row: Row): ZodType | undefined
  /** The object with what holds where a member is not set. */
  effective?(row: Row): unknown
  /** Whether an object is the server's own and cannot be changed. */
  isFixed?(row: Row): boolean
  deleteLead: string
  /** Where objects of the kind can hold rights over the server. */
  ranked?: RankedKind
  /** Whom the deletion of the object concerns, in words. */
  affected?(row: Row, console: Console): Promise<string[]>
  /** What a test of a login is of, where the object takes part in logins. */
  tried?(row: Row): Readonly<Record<string, string>>
  /** What comes before its settings. */
  before?(row: Row, console: Console): Promise<ReactNode>
  /** More panels of one object. */
  more?(row: Row, console: Console): Promise<ReactNode>
  /** The pages of one object, where one is not enough. */
  parts?: readonly ResourcePart<Row>[]
  /** What the list says of the kind. */
  below?(console: Console): ReactNode
}

/** The address of a page of an object. */
const partPath = ({ path }: { path: string }, id: string, part: string): string =>
  [path, encodeURIComponent(id), ...(part === '' ? [] : [part])].join('/')

/** The list of a kind, whose path is the section's. */
export function listingOf<Row extends Shown>(pages: ResourcePages<Row>): Listing<Row> {
  const { path, operations, columns, search, empty, id, nameOf = ({ name }) => name, isFixed } = pages
  return {
    name: path.slice('/console/'.length),
    operation: operations.list,
    ...(search !== undefined && {
      query: ({ q }) => ({ [search]: q }),
      search: { label: say('list.search_name') },
    }),
    columns: [{ title: say('column.name'), cell: (row) => <bdi>{nameOf(row)}</bdi> }, ...columns],
    id: (row) => String(row[id]),
    label: nameOf,
    href: (row) => `${path}/${encodeURIComponent(String(row[id]))}`,
    empty,
    bulk: (console) =>
      console.may(operations.delete) && !isFixed
        ? [{ label: say('bulk.delete'), operation: operations.delete.name, param: 'id', danger: true }]
        : [],
  }
}

export const resourceList = <Row extends Shown>(pages: ResourcePages<Row>) =>
  consolePage(async ({ console, query }) => {
    const { path, operations, title, lead, newTitle } = pages
    return (
      <>
        <Head title={title} lead={lead} />
        {
          await Listed({
            listing: listingOf(pages),
            console,
            requested: query,
            action: console.may(operations.create) && <NewLink href={`${path}/new`} title={newTitle} />,
          })
        }
        {pages.below?.(console)}
      </>
    )
  })

export const resourceNew = <Row extends Shown>(pages: ResourcePages<Row>) =>
  consolePage(async ({ console }) => {
    const { path, operations, title, newTitle, newMembers, newBody } = pages
    if (!console.may(operations.create)) throw new Forbid()
    return (
      <>
        <Head title={newTitle} back={{ href: path, title }} />
        <Panel title={newTitle}>
          <SettingsForm
            operation={operations.create}
            members={newMembers}
            {...(newBody && { body: newBody })}
            choices={await choicesOf(operations.create, newMembers, console)}
            submitLabel={say('form.create')}
            next={`${path}/{id}?done=created`}
          />
        </Panel>
      </>
    )
  })

export const resourceDetail = <Row extends Shown>(pages: ResourcePages<Row>, partName = '') =>
  consolePage(async ({ console: whole, params: { id = '' } }) => {
    const { path, operations, title, section, deleteLead, nameOf = ({ name }) => name, ranked, parts } = pages
    const { value: row, tag, notApplied } = await whole.readTagged(operations.read, { params: { id } })
    const console = ranked ? await whole.facing(ranked, id) : { ...whole, isAbove: false }
    const own = pages.isFixed?.(row) ?? false
    const name = nameOf(row)
    const open = parts?.filter(({ exists = () => true }) => exists(row))
    const part = open?.find((each) => each.name === partName)
    if (parts && !part) throw new Nowhere()
    if (part && !console.may(part.operation)) throw new Forbid()
    const isFirst = partName === ''
    const mayDelete = isFirst && !own && console.may(operations.delete)
    const more = part ? part.more : pages.more
    const [before, further, affected] = await Promise.all([
      isFirst ? pages.before?.(row, console) : null,
      more?.(row, console),
      mayDelete ? pages.affected?.(row, console) : [],
    ])
    const schema = pages.schemaOf?.(row)
    const all = formGroups(operations.update, section, schema)
    const groups = part ? all.filter(({ group }) => part.groups.includes(group)) : all
    const members = groups.flatMap((group) => group.members)
    const choices = await choicesOf(operations.update, members, console, { schema, value: row })
    return (
      <>
        <Head
          title={name}
          back={{ href: path, title }}
          {...(pages.view && { viewed: { kind: pages.view, id } })}
          {...(pages.tried &&
            console.may(loginTests.create) &&
            console.may(logins.read) && { action: <TryLink of={pages.tried(row)} /> })}
        />
        {open && (
          <Tabs
            label={name}
            tabs={open.map((each) => ({ ...each, path: partPath(pages, id, each.name) }))}
            console={console}
            path={partPath(pages, id, partName)}
          />
        )}
        {ranked && console.isAbove && <Above kind={ranked} />}
        {isFirst && (
          <Facts
            facts={[
              [say('column.id'), <CopyableId key="id" value={String(row[pages.id])} />],
              ...pages.columns.map((column) => [column.title, column.cell(row)] as const),
            ]}
          />
        )}
        {before}
        <SettingsPanels
          groups={groups}
          operation={operations.update}
          params={{ id }}
          tag={tag}
          value={pages.effective?.(row) ?? row}
          schema={schema}
          choices={choices}
          allowed={!own && console.may(operations.update)}
        />
        {further}
        {isFirst && pages.tried && (await TestLinks({ of: pages.tried(row), console }))}
        {isFirst && <NotApplied paths={notApplied} />}
        {mayDelete && (
          <DeletePanel
            operation={operations.delete}
            params={{ id }}
            tag={tag}
            lead={deleteLead}
            confirm={name}
            affected={affected ?? []}
            to={path}
          />
        )}
      </>
    )
  })
