import type { Catalogue } from './messages'

export const ar: Catalogue = {
  'common.cancel': 'إلغاء',
  'common.signed_in_as': 'تم تسجيل الدخول باسم {user}',
  'common.reference': 'الرقم المرجعي',
  'common.details': 'تفاصيل للقائمين على التطبيق',
  'common.help': 'المساعدة',
  'common.restart': 'البدء من جديد',
  'common.back': 'العودة إلى التطبيق',
  'common.continue': 'متابعة',

  'title.error': 'خطأ: {title}',
  'notice.heading': 'يُرجى التحقق أولًا',
  'notice.wrong_credentials': 'هذه البيانات لا تطابق أي حساب. يُرجى التحقق منها ثم إعادة المحاولة.',
  'notice.too_many_attempts':
    'أوقفنا تسجيل الدخول مؤقتًا بعد محاولات فاشلة كثيرة. إن كان هذا حسابك، فستجد في بريدك رسالة منا فيها رابط لإلغاء القفل، أو يمكن إعادة المحاولة لاحقًا.',
  'notice.missing_identifier':
    '{kind, select, email {يُرجى إدخال عنوان البريد الإلكتروني.} username {يُرجى إدخال اسم المستخدم.} other {يُرجى إدخال البريد الإلكتروني أو اسم المستخدم.}}',
  'notice.missing_password': 'يُرجى إدخال كلمة المرور.',
  'notice.missing_credentials': 'يُرجى ملء الحقلين لتسجيل الدخول.',
  'notice.session_changed': 'تغيّر شيء ما في علامة تبويب أخرى. يُرجى التأكد من أن كل شيء كما تريد ثم المتابعة.',
  'notice.reauthentication': 'حفاظًا على أمان حسابك، يُرجى تسجيل الدخول مرة أخرى.',

  'login.title': 'تسجيل الدخول',
  'login.lead': 'للمتابعة إلى {client}',
  'login.identifier':
    '{kind, select, email {البريد الإلكتروني} username {اسم المستخدم} other {البريد الإلكتروني أو اسم المستخدم}}',
  'login.password': 'كلمة المرور',
  'login.show_password': 'إظهار',
  'login.hide_password': 'إخفاء',
  'login.show_password_label': 'إظهار كلمة المرور',
  'login.hide_password_label': 'إخفاء كلمة المرور',
  'login.caps_lock': 'مفتاح Caps Lock مفعّل.',
  'login.submit': 'تسجيل الدخول',
  'login.forgot': 'هل نسيت كلمة المرور؟',
  'login.no_account': 'ليس لديك حساب؟',
  'login.sign_up': 'إنشاء حساب',

  'account.title': 'اختيار حساب',
  'account.title_one': 'مرحبًا بعودتك',
  'account.lead': 'للمتابعة إلى {client}',
  'account.list': 'الحسابات المسجَّل دخولها في هذا المتصفح',
  'account.continue': 'متابعة',
  'account.continue_as': 'المتابعة باسم {user}',
  'account.switch': 'استخدام حساب آخر',

  'consent.title': 'يطلب {client} الوصول',
  'consent.lead': 'القرار لك في ما يمكنه معرفته وما يمكنه فعله نيابةً عنك.',
  'consent.third_party': 'لا تتولى {tenant} إدارة {client}. لا تسمح بالوصول إلا إذا كنت تثق به.',
  'consent.list_profile': 'سيتمكن من',
  'consent.list_api': 'سيتمكن في {api} من',
  'consent.accept': 'سماح',
  'consent.deny': 'عدم السماح',
  'consent.homepage': 'حول {client}',
  'scope.openid': 'التعرّف عليك عند عودتك',
  'scope.profile': 'الاطلاع على اسمك وصورة ملفك الشخصي',
  'scope.email': 'الاطلاع على عنوان بريدك الإلكتروني',
  'scope.phone': 'الاطلاع على رقم هاتفك',
  'scope.address': 'الاطلاع على عنوانك البريدي',
  'scope.offline_access': 'الاحتفاظ بالوصول أثناء غيابك',

  'logged_out.title': 'تم تسجيل خروجك',
  'logged_out.body': 'إذا كان هذا الجهاز مشتركًا، فيُرجى إغلاق هذه النافذة أيضًا.',
  'logged_out.return': 'العودة إلى التطبيق',
  'confirm_logout.title': 'تسجيل الخروج؟',
  'confirm_logout.body': 'سيتم تسجيل خروجك من {tenant} في هذا المتصفح.',
  'confirm_logout.body_client': 'يريد {client} تسجيل خروجك من {tenant} في هذا المتصفح.',
  'confirm_logout.submit': 'تسجيل الخروج',
  'confirm_logout.stay': 'البقاء مسجَّلًا',

  'unblock.title': 'إلغاء قفل حسابك',
  'unblock.body':
    'أوقفنا تسجيل الدخول مؤقتًا بعد إدخال كلمات مرور خاطئة عدة مرات. إن كانت المحاولات منك، فيمكنك إلغاء قفل حسابك وإعادة المحاولة.',
  'unblock.submit': 'إلغاء قفل حسابي',
  'unblock.done_title': 'تم إلغاء قفل حسابك',
  'unblock.done_body':
    'يمكنك العودة إلى التطبيق وتسجيل الدخول. وإن لم تكن كلمة المرور مؤكدة لديك، فيمكن إعادة تعيينها.',

  'error.unknown_client.title': 'لا نعرف هذا التطبيق',
  'error.unknown_client.body':
    'يشير الرابط إلى تطبيق غير مسجَّل هنا. يُرجى العودة إلى التطبيق وإعادة المحاولة. إن لم ينجح ذلك، فيُرجى إبلاغ القائمين عليه.',
  'error.callback_mismatch.title': 'عنوان العودة هذا غير مسموح به',
  'error.callback_mismatch.body':
    'طلب التطبيق إرسالك إلى عنوان لم يسجّله، فتوقفنا هنا. لم تتم مشاركة أي شيء. يمكن للقائمين على التطبيق إضافة العنوان إلى عناوين العودة المسموح بها.',
  'error.invalid_request.title': 'تعذّرت قراءة هذا الطلب',
  'error.invalid_request.body':
    'أرسل التطبيق طلبًا ناقصًا أو متناقضًا. يُرجى العودة إلى التطبيق والبدء من جديد. إن لم ينجح ذلك، فيُرجى إبلاغ القائمين عليه.',
  'error.expired_transaction.title': 'انتهت صلاحية تسجيل الدخول هذا',
  'error.expired_transaction.body':
    'حفاظًا على أمانك، تبقى صفحة تسجيل الدخول صالحة لفترة محدودة. يُرجى العودة إلى التطبيق والبدء من جديد. لم تفقد أي شيء.',
  'error.finished_transaction.title': 'اكتمل تسجيل الدخول هذا من قبل',
  'error.finished_transaction.body':
    'سبق استخدام هذه الصفحة، ربما في علامة تبويب أخرى. يُرجى العودة إلى التطبيق، فربما تم تسجيل دخولك بالفعل.',
  'error.cookies_off.title': 'متصفحك يحظر ملفات تعريف الارتباط',
  'error.cookies_off.body':
    'نحتاج إلى ملف تعريف ارتباط لربط تسجيل الدخول بمتصفحك. يُرجى السماح بها لهذا الموقع، ثم العودة إلى التطبيق والبدء من جديد.',
  'error.other_browser.title': 'بدأ تسجيل الدخول هذا في متصفح آخر',
  'error.other_browser.body':
    'حفاظًا على أمانك، لا يمكن إكماله إلا حيث بدأ. يُرجى العودة إلى ذلك المتصفح أو البدء من جديد هنا.',
  'error.bookmarked.title': 'البداية من التطبيق المطلوب',
  'error.bookmarked.body':
    'لا تعمل هذه الصفحة إلا عندما يرسلك تطبيق إليها. يُرجى فتح التطبيق وتسجيل الدخول منه. ومن الأفضل حفظ التطبيق في الإشارات المرجعية بدلًا من هذه الصفحة.',
  'error.logout_url.title': 'لا يمكننا نقلك من هنا',
  'error.logout_url.body':
    'العنوان التالي لتسجيل الخروج غير مسجَّل، فتوقفنا هنا. يمكن للقائمين على التطبيق إضافته إلى عناوين تسجيل الخروج المسموح بها.',
  'error.link_expired.title': 'لم يعد هذا الرابط صالحًا',
  'error.link_expired.body': 'انتهت صلاحيته أو سبق استخدامه. يُرجى طلب رابط جديد واستخدام أحدث رسالة وصلتك.',
  'error.access_denied.title': 'ليس لديك إذن بالوصول',
  'error.access_denied.body':
    'حسابك غير مصرَّح له بهذا. إن كنت ترى أنه ينبغي أن يكون كذلك، فيُرجى التواصل مع القائمين على التطبيق.',
  'error.connection_unavailable.title': 'طريقة تسجيل الدخول هذه غير متاحة',
  'error.connection_unavailable.body': 'طلب التطبيق طريقة تسجيل دخول غير مفعّلة له. يُرجى الرجوع وتجربة طريقة أخرى.',
  'error.method_not_allowed.title': 'لا يمكن فتح هذه الصفحة بهذه الطريقة',
  'error.method_not_allowed.body': 'يُرجى العودة إلى التطبيق والبدء منه من جديد.',
  'error.too_many_requests.title': 'مهلًا قليلًا',
  'error.too_many_requests.body': 'وصلتنا طلبات كثيرة جدًا من شبكتك. يُرجى الانتظار دقيقة ثم إعادة المحاولة.',
  'error.busy.title': 'نحن مشغولون جدًا الآن',
  'error.busy.body': 'يُرجى الانتظار بضع ثوانٍ ثم إعادة تحميل الصفحة.',
  'error.not_found.title': 'لا يوجد شيء هنا',
  'error.not_found.body': 'ربما كُتب العنوان خطأً أو نُقلت الصفحة. يُرجى العودة إلى التطبيق والبدء منه.',
  'error.server_error.title': 'حدث خطأ من جانبنا',
  'error.server_error.body': 'لم يكن السبب أي شيء فعلته. يُرجى إعادة المحاولة بعد لحظات.',
}
