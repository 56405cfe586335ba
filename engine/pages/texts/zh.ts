import type { Texts } from './page-texts.js';

export const ZH: Texts = {
  status: {
    not_found: { title: '找不到链接', text: '此地址没有链接，请检查输入是否有误。' },
    disabled: { title: '链接不可用', text: '此地址的链接已不存在。' },
    expired: { title: '链接已过期', text: '此链接的有效期已结束。' },
    deleted: { title: '链接已移除', text: '此链接已被其所有者移除。' },
    blocked: { title: '链接已被拦截', text: '此链接指向的页面可能有危险，因此已被拦截。' },
    method_not_allowed: { title: '不允许的方法', text: '链接只能打开。' },
    unavailable: { title: '请稍后重试', text: '暂时无法查询此链接。' },
    failed: { title: '出了点问题', text: '无法打开此链接，请稍后重试。' },
    no_destination: { title: '请在应用中打开', text: '此链接通往 {project} 应用，请在已安装该应用的设备上打开。' },
  },
  open: { title: '在 {project} 应用中继续', text: '点按按钮，在应用中打开此链接。' },
  get: { title: '获取 {project} 应用', text: '此链接会在应用中打开。' },
  open_button: '打开应用',
  get_button: '获取应用',
  web_link: '在浏览器中继续',
  support_link: '获取帮助',
  in_app_hint: '当前页面在另一个应用的浏览器中打开，可能无法打开本应用。请在菜单中选择“在浏览器中打开”，然后点按按钮。',
  password: {
    title: '请输入密码',
    text: '此链接受密码保护。请向发送者询问密码。',
    label: '密码',
    button: '继续',
    wrong: '密码不正确，请重试。',
    throttled: '尝试次数过多，请一分钟后重试。',
    unsent: '没有收到回应。请检查网络连接，然后重试。',
  },
};
