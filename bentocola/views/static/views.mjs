/* Written by `make views` from bentocola/views/source, ee6570b0b65534328c2c3834e1e8db642e402a7c0f6adee48224e538f14628ff: change that one. */
function r(e){return()=>e.replaceChildren()}function t(e){return()=>e.replaceChildren()}export{r as mountAws,t as mountStepper};
