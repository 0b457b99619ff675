// Loads the language of claim rules, which remembers the class of dates, before a test replaces `Date`: the files of a worker share
// their modules.
import '../identity/tenant-code/claims/expression'
