// What holds for the documents (docs/, README.md and the like), so that none is lost and no link is dead:
// - a relative link leads to a file, and its anchor to a heading of it;
// - a path of the checkout that a document names in back-quotes exists (`lib/…`, `app/…`, `e2e/…`), except in a quickstart, whose paths
//   are those of the reader's application;
// - a document that a source names exists, and so does the heading that is named beside it: docs/runbook.md, "Mail";
// - docs/README.md links every document of docs/. Those of a folder below it may be linked by the README.md there, or by the folder;
// - README.md begins with links to its chapters.
// Pure: texts in, sentences out.
import { posix } from 'node:path'

/** @typedef {{ path: string, text: string }} File `path` is from the checkout, with slashes */

export const INDEX = 'docs/README.md'

/** @param {File[]} files @param {(path: string) => boolean} exists @returns {string[]} one sentence for each fault */
export function findDocumentFaults(files, exists) {
  const documents = files.filter(isDocument)
  const headings = new Map(documents.map(({ path, text }) => [path, headingsOf(text)]))
  return [
    ...documents.flatMap((document) => linkFaults(document, headings, exists)),
    ...documents.flatMap((document) => pathFaults(document, exists)),
    ...files.filter((file) => !isDocument(file)).flatMap((file) => referenceFaults(file, headings)),
    ...unlisted(documents),
    ...missingContents(documents),
  ]
}

const isDocument = ({ path }) => path.endsWith('.md')

/** The text of each heading, and the anchors as GitHub makes them. */
function headingsOf(text) {
  const prose = withoutCode(text)
  const titles = Array.from(prose.matchAll(/^#{1,6} +(.+?) *#*$/gm), ([, title]) => plain(title))
  const anchors = new Set(Array.from(prose.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id]) => id))
  for (const title of titles) {
    const slug = slugOf(title)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return { titles: new Set(titles), anchors }
}

const plain = (title) => title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')

const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-')

/** Blocks of code keep their lines, so that a finding can name its line. */
const withoutCode = (text) =>
  text.replace(/^( *)(```+|~~~+).*\n[\s\S]*?^\1\2.*$/gm, (block) => block.replace(/[^\n]/g, ''))

const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|(?:srcset|src|href)="([^"]+)"/g

function linkFaults({ path, text }, headings, exists) {
  const prose = withoutCode(text).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length))
  return linksIn(prose).flatMap(({ to, line }) => {
    const [file, anchor] = to.split('#')
    const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), decodeURI(file)))
    if (!exists(target)) return [`${path}:${line} links to ${to}, which does not exist`]
    if (anchor === undefined || !target.endsWith('.md')) return []
    return headings.get(target)?.anchors.has(anchor) ? [] : [`${path}:${line} links to ${to}, which has no such anchor`]
  })
}

const PATH = /`((?:app|bench|components|docs|e2e|lib|prisma)\/[\w./@[\]()-]*)`/g

function pathFaults({ path, text }, exists) {
  if (path.startsWith('docs/quickstarts/')) return []
  return Array.from(withoutCode(text).matchAll(PATH), ({ 1: named, index }) => ({ named, index }))
    .filter(({ named }) => !exists(named))
    .map(({ named, index }) => `${path}:${lineOf(text, index)} names ${named}, which does not exist`)
}

const linksIn = (prose) =>
  Array.from(prose.matchAll(LINK), ({ 1: inline, 2: attribute, index }) => ({
    to: inline ?? attribute,
    line: lineOf(prose, index),
  })).filter(({ to }) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(to))

/** `docs/runbook.md`, `docs/runbook.md#mail`, `docs/runbook.md, "Mail"`, also across a line break of a comment. */
const REFERENCE = /(?<![\w/.-])(docs\/[\w/-]+\.md|README(?:\.md)?)(?:#([\w-]+)|,?\s+(?:(?:\/\/|#|\*)\s+)?"([^"\n]+)")?/g

function referenceFaults({ path, text }, headings) {
  return Array.from(text.matchAll(REFERENCE), ({ 0: found, 1: name, 2: anchor, 3: title, index }) => {
    const document = name === 'README' ? 'README.md' : name
    const known = headings.get(document)
    const at = `${path}:${lineOf(text, index)} names ${found.replace(/\s+/g, ' ')}`
    if (!known) return `${at}, which does not exist`
    if (anchor !== undefined && !known.anchors.has(anchor)) return `${at}, which has no such anchor`
    return title !== undefined && !known.titles.has(title) ? `${at}, which has no such heading` : null
  }).filter((fault) => fault !== null)
}

function unlisted(documents) {
  return documents
    .filter(({ path }) => path.startsWith('docs/') && path !== INDEX)
    .flatMap(({ path }) => {
      const folder = posix.dirname(path)
      const inFolder = `${folder}/README.md`
      const whole = linkedFrom(INDEX, documents)
      const list = folder === 'docs' || path === inFolder || !whole.has(inFolder) ? INDEX : inFolder
      return linkedFrom(list, documents).has(path) || whole.has(`${folder}/`) ? [] : [`${path} is not in ${list}`]
    })
}

const linkedFrom = (list, documents) =>
  new Set(
    linksIn(documents.find(({ path }) => path === list)?.text ?? '').map(({ to }) =>
      posix.join(posix.dirname(list), to.split('#')[0] ?? ''),
    ),
  )

/** Of the file that a newcomer opens first. */
function missingContents(documents) {
  const text = withoutCode(documents.find(({ path }) => path === 'README.md')?.text ?? '')
  const linked = new Set(linksIn(text).map(({ to }) => to))
  return Array.from(text.matchAll(/^## (.+)$/gm), ([, title]) => plain(title))
    .filter((title) => !linked.has(`#${slugOf(title)}`))
    .map((title) => `README.md has no link to its chapter "${title}"`)
}

const lineOf = (text, index) => text.slice(0, index).split('\n').length
