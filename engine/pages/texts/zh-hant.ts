import type { Texts } from './page-texts.js';

/** In the wording of Taiwan. */
export const ZH_HANT: Texts = {
  status: {
    not_found: { title: '找不到連結', text: '這個網址沒有連結，請檢查輸入是否有誤。' },
    disabled: { title: '連結無法使用', text: '這個網址的連結已不存在。' },
    expired: { title: '連結已過期', text: '這個連結的有效期限已過。' },
    deleted: { title: '連結已移除', text: '這個連結已由擁有者移除。' },
    blocked: { title: '連結已遭封鎖', text: '這個連結指向的頁面可能有危險，因此已遭封鎖。' },
    method_not_allowed: { title: '不允許的方法', text: '連結只能開啟。' },
    unavailable: { title: '請稍後再試', text: '目前無法查詢這個連結。' },
    failed: { title: '發生錯誤', text: '無法開啟這個連結，請稍後再試。' },
    no_destination: { title: '請在應用程式中開啟', text: '這個連結通往 {project} 應用程式，請在已安裝該應用程式的裝置上開啟。' },
  },
  open: { title: '在 {project} 應用程式中繼續', text: '輕觸按鈕，在應用程式中開啟這個連結。' },
  get: { title: '取得 {project} 應用程式', text: '這個連結會在應用程式中開啟。' },
  open_button: '開啟應用程式',
  get_button: '取得應用程式',
  web_link: '在瀏覽器中繼續',
  support_link: '取得協助',
  in_app_hint: '這個頁面是在另一個應用程式的瀏覽器中開啟，可能無法開啟本應用程式。請在選單中選擇「在瀏覽器中開啟」，然後輕觸按鈕。',
  password: {
    title: '請輸入密碼',
    text: '此連結受密碼保護。請向傳送者詢問密碼。',
    label: '密碼',
    button: '繼續',
    wrong: '密碼不正確，請再試一次。',
    throttled: '嘗試次數過多，請一分鐘後再試。',
    unsent: '沒有收到回應。請檢查網路連線，然後再試一次。',
  },
};
