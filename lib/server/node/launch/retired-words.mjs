// Words that this project no longer uses, each with the standard term in its place, so that the same concept does not get a second
// name. They are refused in identifiers, in sentences (comments, strings, test titles, documents) and in stored names (columns of
// prisma/schema.prisma, events of the audit log).

/** Refused as a word of an identifier, in camelCase, PascalCase or SCREAMING_CASE. */
const IN_IDENTIFIERS = {
  asked: 'requested, or the role: query, loginRequest, codeRequest',
  told: 'notified, recorded, or the role',
  tell: 'notify, record, return',
  begun: 'started, startedAt',
  nobody: 'unknown, none, or the role: decoyHash',
  somebody: 'user, account',
  whoever: 'caller, user, client',
  everybody: 'all users, all clients',
  house: 'tenant registry',
  furnish: 'bootstrap',
  furnished: 'bootstrapped',
  whisper: 'printSecret',
  hushed: 'silent',
  hurried: 'throttled',
  gather: 'batch',
  gathered: 'batched',
  vouch: 'preverify',
  vouched: 'preverified',
}

/** Refused in comments, in strings of several words and in documents. */
const IN_SENTENCES = {
  told: 'notified, informed, returned',
  begun: 'started',
  nobody: 'no user, no caller',
  somebody: 'a user, another instance',
  whoever: 'the caller, the user, the client',
  everybody: 'all users, all clients',
  furnish: 'bootstrap',
  furnished: 'bootstrapped',
  whisper: 'print',
  'that is none': 'invalid, or not a …',
  'of ours': 'of this server',
  hushed: 'silent',
  hurried: 'throttled',
  vouch: 'preverify',
  vouched: 'preverified',
  vouches: 'preverifies',
  'fast door': 'Node adapter',
  "next's door": 'Next adapter',
}

/** Refused in titles of tests, which say what is true of the product. */
const IN_TITLES = {
  ...IN_SENTENCES,
  'is none': 'is not a …',
  'are none': 'are not …, or the noun',
  'of its own kind': 'the noun',
}

/** Names that cannot change: they are stored, or belong to other software. */
const FIXED = {
  tell: 'authentication of a token family and of a code',
  tellAuthTime: 'origin of a stored login transaction',
  vouched: 'column of authenticator',
  backchannel_told: 'event of the audit log',
  toldAt: 'field of DeviceCode',
  told_at: 'column of device_code',
  E2E_LOGOUT_TOLD: 'variable of the tenant file for tests',
  factor_asked: 'event of the audit log',
  login_hurried: 'event of the audit log',
  max_parallel_workers_per_gather: 'setting of PostgreSQL',
}

/** @param {{ path: string, text: string }} source @returns {string[]} one sentence for each use */
export function findRetiredWords({ path, text }) {
  const at = (index) => `${path}:${text.slice(0, index).split('\n').length}`
  const sentence =
    (kind, words) =>
    ({ found, index }) =>
      Array.from(found.replace(/`[^`]*`/g, blank).matchAll(patternOf(words)), ({ 0: word, index: offset }) => {
        const standard = words[word.toLowerCase()]
        return `${at(index + offset)} ${kind}: write ${standard} for "${word}"`
      })
  const name = ({ name, index }) =>
    Object.hasOwn(FIXED, name)
      ? []
      : wordsOf(name)
          .filter((word) => Object.hasOwn(IN_IDENTIFIERS, word))
          .map((word) => `${at(index)} ${name}: write ${IN_IDENTIFIERS[word]} for "${word}"`)

  if (path.endsWith('.md')) return sentence('document', IN_SENTENCES)({ found: proseOf(text), index: 0 })
  if (path.endsWith('.prisma')) return namesIn(text.replace(/\/\/.*$/gm, blank)).flatMap(name)
  const comments = []
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, (found, at) => take(found, at, comments))
    .replace(/(^|[\s;{}(,])(\/\/.*)$/gm, (_, before, found, at) => before + take(found, at + before.length, comments))
  const strings = stringsOf(code)
  return [
    ...identifiersOf(path, code).flatMap(name),
    ...comments.flatMap(sentence('comment', IN_SENTENCES)),
    ...strings.filter(({ title }) => title).flatMap(sentence('title', IN_TITLES)),
    ...strings
      .filter(({ title, found }) => !title && SEVERAL_WORDS.test(found))
      .flatMap(sentence('text', IN_SENTENCES)),
  ]
}

const SEVERAL_WORDS = /[a-z,] [a-z]+ [a-z]/

/** @type {WeakMap<object, RegExp>} */
const patterns = new WeakMap()

function patternOf(words) {
  const pattern =
    patterns.get(words) ?? new RegExp(`(?<![\\w./@-])(?:${Object.keys(words).join('|')})(?![\\w@]|\\.\\w)`, 'gi')
  patterns.set(words, pattern)
  return pattern
}

/** A document without its blocks of code. */
const proseOf = (text) => text.replace(/^( *)(```+).*\n[\s\S]*?^\1\2/gm, blank)

const namesIn = (text) => Array.from(text.matchAll(/[A-Za-z_$][\w$]*/g), ({ 0: name, index }) => ({ name, index }))

const blank = (found) => found.replace(/[^\n]/g, ' ')

function take(found, index, comments) {
  comments.push({ found, index })
  return blank(found)
}

const PATTERN = /(?<=[(,=:?&|![]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g
const TEXT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
/** Between two tags: free of what makes an expression. */
const JSX_TEXT = />[^<>{}=;()]*(?=[<{])|\}[^<>{}=;()]*(?=<)/g

const TITLE = /\b(?:describe|test|it)(?:\.\w+)*(?:\([^()\n]*\))?(?:<[^>\n]*>)?\($|\]\)\($/

/** A string after `it(`, `test(` or `describe(`, or after the rows of `it.each([…])(`, is a title. */
function stringsOf(code) {
  return Array.from(code.replace(PATTERN, blank).matchAll(TEXT), ({ 0: found, index }) => ({
    // A template loses its quotes, since what stands between back-quotes in a sentence is a name.
    found: found.startsWith('`') ? ` ${found.slice(1, -1)} ` : found,
    index,
    title: TITLE.test(code.slice(Math.max(0, index - 60), index)),
  }))
}

function identifiersOf(path, code) {
  const bare = code.replace(PATTERN, blank).replace(TEXT, blank)
  const names = (path.endsWith('.tsx') ? bare.replace(JSX_TEXT, blank) : bare).matchAll(/[A-Za-z_$][\w$]*/g)
  return Array.from(names, ({ 0: name, index }) => ({ name, index }))
}

const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
