// What the other scripts share: the page's data and how elements are made.
"use strict";

const Page = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  // Texts become text nodes: nothing of the data is ever read as HTML.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function save(name, content, type) {
    const url = content instanceof Blob ? URL.createObjectURL(content) : URL.createObjectURL(new Blob([content], { type }));
    const link = element("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  return { data, element, save };
})();
